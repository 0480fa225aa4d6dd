/** Message for a webhook, signed by the sender. */
export interface WebhookMessage {
  /** Value of the header `webhook-id`. */
  readonly id: string;
  /** Secrets that sign it, `whsec_…`, the present one first. */
  readonly secrets: readonly string[];
  /** Epoch ms; signed with the message. */
  readonly at: number;
  /** JSON. */
  readonly body: string;
}

/**
 * Result of sending a message once. `retryAfterMs` is the wait that the server asked for, null when it asked for none.
 * `canceled`: the gateway stops; the message may have arrived.
 */
export type WebhookResult =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'canceled' };

/** Sends messages to web addresses that people typed in, and follows no redirects. Never throws. */
export interface WebhookSender {
  send(
    url: string,
    message: WebhookMessage,
    options: {
      /** Allows computers of private networks and this one, there also without encryption. */
      readonly allowPrivate: boolean;
      readonly signal: AbortSignal;
    },
  ): Promise<WebhookResult>;
}
