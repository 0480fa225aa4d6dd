/** The exact request of one webhook. */
export interface PreparedWebhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Of a form, in wire order. */
  readonly fields: ReadonlyArray<readonly [string, string]>;
  readonly signature: string | null;
}

export interface WebhookAttempt {
  /** The receiver's status, or null when it could not be reached. */
  readonly status: number | null;
  readonly body: string;
}

export interface WebhookDelivery {
  readonly id: number;
  readonly faxId: string;
  readonly webhook: PreparedWebhook;
  /** The first try, then the retries. */
  readonly attempts: WebhookAttempt[];
}

/** Minutes before the retries: 5, 10, 20, 30, then every six hours up to the sixteenth. */
const retryDelays: readonly number[] = [5, 10, 20, 30, ...Array<number>(12).fill(360)];

/** Sends webhooks and remembers what came back. Nothing is repeated by itself. */
export class Deliveries {
  readonly all: WebhookDelivery[] = [];
  readonly #ends: (status: number) => boolean;

  /** `ends`: which statuses of the receiver end the retries. */
  constructor(ends: (status: number) => boolean) {
    this.#ends = ends;
  }

  async send(faxId: string, webhook: PreparedWebhook): Promise<WebhookDelivery> {
    const delivery: WebhookDelivery = { id: this.all.length + 1, faxId, webhook, attempts: [] };
    this.all.push(delivery);
    delivery.attempts.push(await post(webhook));
    return delivery;
  }

  /** Performs the next retry at once, as if its time had come. Null when it succeeded already or all were used. */
  async retry(delivery: WebhookDelivery): Promise<{ afterMinutes: number; attempt: WebhookAttempt } | null> {
    const afterMinutes = retryDelays[delivery.attempts.length - 1];
    if (afterMinutes === undefined || this.#ends(delivery.attempts.at(-1)?.status ?? 0)) return null;
    const attempt = await post(delivery.webhook);
    delivery.attempts.push(attempt);
    return { afterMinutes, attempt };
  }
}

async function post(webhook: PreparedWebhook): Promise<WebhookAttempt> {
  const { url, headers, body } = webhook;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
    });
    return { status: answer.status, body: await answer.text() };
  } catch {
    return { status: null, body: '' };
  }
}
