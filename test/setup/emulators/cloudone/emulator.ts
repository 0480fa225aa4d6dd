import { timingSafeEqual } from 'node:crypto';
import type { Answer } from '../answer.ts';
import { Deliveries, type WebhookDelivery } from '../deliveries.ts';
import { ProviderEmulator } from '../emulator.ts';
import { type ReceivedRequest, valueOf } from '../request-reading.ts';
import { answerAccount, answerPublic } from './account-routes.ts';
import { type AccountState, newAccountState } from './account-state.ts';
import { refusal, success, withVendorHeaders } from './answer.ts';
import { simulatedErrors } from './error-catalog.ts';
import { applyOutcome, type EmulatedFax, type FaxOutcome } from './fax-record.ts';
import { answerFaxes } from './fax-routes.ts';
import { type ReceivedFax, receiveFax } from './sending.ts';
import { prepareWebhook, type WebhookOptions } from './webhook.ts';

interface CloudoneEmulatorOptions {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly callbackToken: string;
  /** Test credentials; default the live ones with `test-` before them. */
  readonly testApiKey?: string;
  readonly testApiSecret?: string;
  readonly clock?: { now(): number };
  /** The account-wide webhook address. */
  readonly accountWebhook?: string;
  /** Fetches content addresses at acceptance; otherwise `fetchContent` does. */
  readonly fetchContentUrls?: boolean;
  /** Sends `X-Cloudone-Signature` beside the vendor's header on every webhook. */
  readonly cloudoneHeader?: boolean;
}

type Access = 'live' | 'test';

/** The vendor's service of the provider `cloudone`; see ProviderEmulator. */
export class CloudoneEmulator extends ProviderEmulator<Access> {
  readonly state: AccountState;
  readonly #options: CloudoneEmulatorOptions;
  /** Any 2xx ends the retries. */
  protected readonly webhooks = new Deliveries((status) => status >= 200 && status < 300);
  protected readonly faultAnswers = {
    refusal,
    wrongShape: () => success('Fax queued for sending', { data: { identifier: 'none' } }),
  };

  constructor(options: CloudoneEmulatorOptions) {
    super();
    this.#options = options;
    const clock = options.clock ?? { now: () => Date.now() };
    this.state = newAccountState(() => clock.now(), options.accountWebhook ?? null);
  }

  /** With the prefix of the vendor's clients; `/v2` answers as well. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/v2.1`;
  }

  /** By id as text. */
  get faxes(): ReadonlyMap<string, EmulatedFax> {
    return this.state.faxes;
  }

  /** Ends a fax. Without an outcome: as `test_fail` asks, otherwise a success. */
  complete(id: string, outcome?: FaxOutcome): EmulatedFax {
    const fax = this.#faxOf(id);
    applyOutcome(fax, outcome ?? simulatedOutcome(fax), this.state.now());
    return fax;
  }

  /** Moves a fax on without ending it, e.g. to `inprogress` with a recipient `willretry`. */
  progress(id: string, status: string, recipientStatus: string | null = null): void {
    const fax = this.#faxOf(id);
    fax.status = status;
    for (const recipient of fax.recipients) recipient.status = recipientStatus;
  }

  /** Stores a received fax, as if a machine had sent it to one of the account's numbers. Sends no webhook. */
  receive(received: ReceivedFax): EmulatedFax {
    return receiveFax(this.state, received);
  }

  /** Posts the webhook of a fax to its own address, otherwise to the number's, otherwise to the account's. */
  sendCallback(id: string, options: WebhookOptions = {}): Promise<WebhookDelivery> {
    const fax = this.#faxOf(id);
    const url = options.url ?? this.#addressOf(fax);
    if (url === null) throw new Error(`The fax ${id} has no webhook address.`);
    const all = { cloudoneHeader: this.#options.cloudoneHeader, ...options };
    return this.webhooks.send(id, prepareWebhook(fax, url, this.#options.callbackToken, all));
  }

  /** Fetches the first content address of a fax, as the vendor does while it renders; the bytes become its document. */
  async fetchContent(id: string): Promise<{ status: number; contentType: string }> {
    const fax = this.#faxOf(id);
    const answer = await fetch(fax.contentUrls[0] ?? '', { redirect: 'manual' });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status === 200) fax.document = bytes;
    return { status: answer.status, contentType: answer.headers.get('content-type') ?? '' };
  }

  protected now(): number {
    return this.state.now();
  }

  protected pathOf(path: string): string {
    return path.replace(/^\/v2(?:\.1)?(?=\/)/u, '');
  }

  protected acceptedCount(): number {
    return [...this.state.faxes.values()].filter((fax) => fax.direction === 'sent').length;
  }

  protected override addVendorHeaders(answer: Answer): Answer {
    return withVendorHeaders(answer);
  }

  protected handle(request: ReceivedRequest, access: Access | null): Answer {
    const open = answerPublic(request);
    if (open !== null) return open;
    if (access === null) return refusal(401, 'The API key or secret is not valid.');
    const before = new Set(this.state.faxes.keys());
    const answer = answerFaxes(this.state, request, access === 'test') ?? answerAccount(this.state, request);
    for (const [id, fax] of this.state.faxes) if (!before.has(id)) this.#follow(fax);
    return answer ?? refusal(404, 'There is no such resource.');
  }

  /** Basic authentication, or `api_key` and `api_secret` in the form or the query. */
  protected accessOf(request: ReceivedRequest): Access | null {
    const { apiKey, apiSecret } = this.#options;
    const testKey = this.#options.testApiKey ?? `test-${apiKey}`;
    const testSecret = this.#options.testApiSecret ?? `test-${apiSecret}`;
    const basic = /^Basic (.+)$/u.exec(request.headers.authorization ?? '')?.[1];
    const given = basic
      ? Buffer.from(basic, 'base64').toString()
      : `${valueOf(request, 'api_key')}:${valueOf(request, 'api_secret')}`;
    if (same(given, `${apiKey}:${apiSecret}`)) return 'live';
    return same(given, `${testKey}:${testSecret}`) ? 'test' : null;
  }

  /** Starts what the vendor does by itself for a new fax. */
  #follow(fax: EmulatedFax): void {
    const id = String(fax.id);
    if (fax.direction === 'received' && this.#addressOf(fax) !== null)
      this.runInBackground(this.sendCallback(id));
    if (fax.contentUrls.length > 0 && this.#options.fetchContentUrls === true) {
      this.runInBackground(this.fetchContent(id));
    }
  }

  #addressOf(fax: EmulatedFax): string | null {
    const number = this.state.numbers.get(fax.toNumber ?? '');
    return fax.callbackUrl ?? number?.callback_url ?? this.state.accountWebhook;
  }

  #faxOf(id: string): EmulatedFax {
    const fax = this.state.faxes.get(id);
    if (fax === undefined) throw new Error(`The emulator has no fax ${id}.`);
    return fax;
  }
}

/** Starts the emulator on a free port of 127.0.0.1. */
export async function startCloudoneEmulator(options: CloudoneEmulatorOptions): Promise<CloudoneEmulator> {
  const emulator = new CloudoneEmulator(options);
  await emulator.open();
  return emulator;
}

function simulatedOutcome(fax: EmulatedFax): FaxOutcome {
  if (fax.testFail === null) return {};
  return { errorType: fax.testFail, errorId: simulatedErrors[fax.testFail], errorMessage: 'Simulated error' };
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
