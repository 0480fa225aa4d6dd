import type { PreparedWebhook } from './webhook.ts';

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
export const retryDelays: readonly number[] = [5, 10, 20, 30, ...Array<number>(12).fill(360)];

/** Sends webhooks and remembers what came back. Nothing is repeated by itself. */
export class Deliveries {
  readonly all: WebhookDelivery[] = [];

  async send(faxId: string, webhook: PreparedWebhook): Promise<WebhookDelivery> {
    const delivery: WebhookDelivery = { id: this.all.length + 1, faxId, webhook, attempts: [] };
    this.all.push(delivery);
    delivery.attempts.push(await post(webhook));
    return delivery;
  }

  /** Performs the next retry at once, as if its time had come. Null when it succeeded already or all were used. */
  async retry(delivery: WebhookDelivery): Promise<{ afterMinutes: number; attempt: WebhookAttempt } | null> {
    const afterMinutes = retryDelays[delivery.attempts.length - 1];
    if (afterMinutes === undefined || delivered(delivery)) return null;
    const attempt = await post(delivery.webhook);
    delivery.attempts.push(attempt);
    return { afterMinutes, attempt };
  }
}

/** Any 2xx ends the retries. */
export function delivered(delivery: WebhookDelivery): boolean {
  const status = delivery.attempts.at(-1)?.status ?? 0;
  return status >= 200 && status < 300;
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
