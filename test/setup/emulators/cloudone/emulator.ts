import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerAccount, answerPublic } from './account-routes.ts';
import { type AccountState, newAccountState } from './account-state.ts';
import { type Answer, refusal, sendAnswer } from './answer.ts';
import { Deliveries, type WebhookDelivery } from './deliveries.ts';
import { simulatedErrors } from './error-catalogue.ts';
import { type Fault, FaultPlan, faultyAnswer } from './faults.ts';
import { applyOutcome, type EmulatedFax, type FaxOutcome } from './fax-record.ts';
import { answerFaxes } from './fax-routes.ts';
import { Listener } from './listener.ts';
import { type ReceivedRequest, readRequest, valueOf } from './request-reading.ts';
import { receiveFax } from './sending.ts';
import { prepareWebhook, type WebhookOptions } from './webhook.ts';

export interface CloudoneEmulatorOptions {
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

/** A request as it arrived, with what came of it. */
export interface RecordedCall extends ReceivedRequest {
  readonly authorized: boolean;
  readonly fault: Fault['kind'] | null;
  /** Whether the request was carried out. */
  readonly handled: boolean;
}

/** The vendor's service on the loopback interface, with its state in memory. No timer runs by itself. */
export class CloudoneEmulator {
  readonly calls: RecordedCall[] = [];
  readonly state: AccountState;
  readonly #options: CloudoneEmulatorOptions;
  readonly #faults = new FaultPlan();
  readonly #deliveries = new Deliveries();
  readonly #listener = new Listener((request, response) => this.#serve(request, response));
  #held: Array<() => void> = [];
  #heldWatchers: Array<() => void> = [];
  #background: Array<Promise<unknown>> = [];

  constructor(options: CloudoneEmulatorOptions) {
    this.#options = options;
    const clock = options.clock ?? { now: () => Date.now() };
    this.state = newAccountState(() => clock.now(), options.accountWebhook ?? null);
  }

  /** With the prefix of the vendor's clients; `/v2` answers as well. */
  get url(): string {
    return `http://127.0.0.1:${this.#listener.port}/v2.1`;
  }

  /** By id as text. */
  get faxes(): ReadonlyMap<string, EmulatedFax> {
    return this.state.faxes;
  }

  /** Faxes accepted for sending, and requests and connections that arrived. */
  get counts(): { connections: number; requests: number; accepted: number } {
    const accepted = [...this.state.faxes.values()].filter((fax) => fax.direction === 'sent').length;
    return { connections: this.#listener.connections, requests: this.calls.length, accepted };
  }

  get deliveries(): readonly WebhookDelivery[] {
    return this.#deliveries.all;
  }

  open(): Promise<void> {
    return this.#listener.open();
  }

  async close(): Promise<void> {
    this.release();
    await this.#listener.close();
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
  receive(received: { from: string; to: string; document: Buffer; pages?: number }): EmulatedFax {
    return receiveFax(this.state, received);
  }

  /** Posts the webhook of a fax to its own address, otherwise to the number's, otherwise to the account's. */
  sendCallback(id: string, options: WebhookOptions = {}): Promise<WebhookDelivery> {
    const fax = this.#faxOf(id);
    const url = options.url ?? this.#addressOf(fax);
    if (url === null) throw new Error(`The fax ${id} has no webhook address.`);
    const all = { cloudoneHeader: this.#options.cloudoneHeader, ...options };
    return this.#deliveries.send(id, prepareWebhook(fax, url, this.#options.callbackToken, all));
  }

  /** Performs the next retry of a webhook that was not answered with 2xx. */
  retryCallback(delivery: WebhookDelivery) {
    return this.#deliveries.retry(delivery);
  }

  /** Fetches the first content address of a fax, as the vendor does while it renders; the bytes become its document. */
  async fetchContent(id: string): Promise<{ status: number; contentType: string }> {
    const fax = this.#faxOf(id);
    const answer = await fetch(fax.contentUrls[0] ?? '', { redirect: 'manual' });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status === 200) fax.document = bytes;
    return { status: answer.status, contentType: answer.headers.get('content-type') ?? '' };
  }

  /** Meets the next matching requests; several faults queue up. */
  setFault(fault: Fault): void {
    this.#faults.set(fault);
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  /** Lets every held answer go. */
  release(): void {
    for (const go of this.#held.splice(0)) go();
  }

  /** Resolves once an answer is held. */
  async untilHeld(): Promise<void> {
    if (this.#held.length > 0) return;
    await new Promise<void>((resolve) => {
      this.#heldWatchers.push(resolve);
    });
  }

  /** Closes the listener; `acceptConnections` opens it again on the same port. */
  refuseConnections(): Promise<void> {
    return this.#listener.close();
  }

  acceptConnections(): Promise<void> {
    return this.#listener.open();
  }

  /** Resolves once webhooks and content fetches that started by themselves have ended. */
  async settled(): Promise<void> {
    while (this.#background.length > 0) await Promise.allSettled(this.#background.splice(0));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await readRequest(request, this.state.now());
    const fault = this.#faults.take(received.method);
    const handled = fault === null || (fault.accepted ?? fault.kind === 'slow');
    const access = this.#accessOf(received);
    const authorized = access !== null;
    this.calls.push({ ...received, authorized, fault: fault?.kind ?? null, handled });
    const regular = handled ? this.#handle(received, access) : refusal(500, 'not carried out');
    if (fault === null) return sendAnswer(response, regular);
    if (fault.kind === 'dropped') return void response.destroy();
    if (fault.kind === 'truncated') return truncate(response, regular);
    if (fault.kind === 'slow') await this.#hold();
    sendAnswer(response, faultyAnswer(fault, regular));
  }

  #handle(request: ReceivedRequest, access: 'live' | 'test' | null): Answer {
    const open = answerPublic(request);
    if (open !== null) return open;
    if (access === null) return refusal(401, 'The API key or secret is not valid.');
    const before = new Set(this.state.faxes.keys());
    const answer = answerFaxes(this.state, request, access === 'test') ?? answerAccount(this.state, request);
    for (const [id, fax] of this.state.faxes) if (!before.has(id)) this.#follow(fax);
    return answer ?? refusal(404, 'There is no such resource.');
  }

  /** What the vendor does of itself with a new fax. */
  #follow(fax: EmulatedFax): void {
    const id = String(fax.id);
    if (fax.direction === 'received' && this.#addressOf(fax) !== null)
      this.#background.push(this.sendCallback(id));
    if (fax.contentUrls.length > 0 && this.#options.fetchContentUrls === true) {
      this.#background.push(this.fetchContent(id));
    }
  }

  /** Basic authentication, or `api_key` and `api_secret` in the form or the query. */
  #accessOf(request: ReceivedRequest): 'live' | 'test' | null {
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

  #addressOf(fax: EmulatedFax): string | null {
    const number = this.state.numbers.get(fax.toNumber ?? '');
    return fax.callbackUrl ?? number?.callback_url ?? this.state.accountWebhook;
  }

  #faxOf(id: string): EmulatedFax {
    const fax = this.state.faxes.get(id);
    if (fax === undefined) throw new Error(`The emulator has no fax ${id}.`);
    return fax;
  }

  async #hold(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#held.push(resolve);
      for (const watcher of this.#heldWatchers.splice(0)) watcher();
    });
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

function truncate(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length });
  response.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => response.destroy());
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
