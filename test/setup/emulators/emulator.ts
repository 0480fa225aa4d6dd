import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, sendAnswer } from './answer.ts';
import type { Deliveries, WebhookAttempt, WebhookDelivery } from './deliveries.ts';
import { type Fault, type FaultAnswers, FaultPlan, isProcessed, sendFaulty } from './faults.ts';
import { Listener } from './listener.ts';
import { type ReceivedRequest, readRequest } from './request-reading.ts';

/** A request as it arrived, with what came of it. */
interface RecordedCall extends ReceivedRequest {
  readonly authorized: boolean;
  readonly fault: Fault['kind'] | null;
  /** True when the request was processed. */
  readonly handled: boolean;
}

/** A vendor's service on the loopback interface, with its state in memory. No timer runs by itself. */
export abstract class ProviderEmulator<Access> {
  readonly calls: RecordedCall[] = [];
  readonly #listener = new Listener((request, response) => this.#serve(request, response));
  readonly #faults = new FaultPlan();
  #held: Array<() => void> = [];
  #heldWatchers: Array<() => void> = [];
  #background: Array<Promise<unknown>> = [];
  protected abstract readonly webhooks: Deliveries;
  protected abstract readonly faultAnswers: FaultAnswers;

  /** Epoch milliseconds. */
  protected abstract now(): number;
  /** The path below the vendor's prefix. */
  protected abstract pathOf(path: string): string;
  /** With which rights a request comes; null: none. */
  protected abstract accessOf(request: ReceivedRequest): Access | null;
  protected abstract handle(request: ReceivedRequest, access: Access | null): Answer;
  /** Returns the number of faxes accepted for sending. */
  protected abstract acceptedCount(): number;

  protected addVendorHeaders(answer: Answer): Answer {
    return answer;
  }

  protected get port(): number {
    return this.#listener.port;
  }

  /** Faxes accepted for sending, and requests and connections that arrived. */
  get counts(): { connections: number; requests: number; accepted: number } {
    const accepted = this.acceptedCount();
    return { connections: this.#listener.connections, requests: this.calls.length, accepted };
  }

  get deliveries(): readonly WebhookDelivery[] {
    return this.webhooks.all;
  }

  open(): Promise<void> {
    return this.#listener.open();
  }

  async close(): Promise<void> {
    this.release();
    await this.#listener.close();
  }

  /** Performs the next retry of a webhook that was not answered as the vendor wants it. */
  retryCallback(
    delivery: WebhookDelivery,
  ): Promise<{ afterMinutes: number; attempt: WebhookAttempt } | null> {
    return this.webhooks.retry(delivery);
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
  async waitUntilHeld(): Promise<void> {
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

  protected runInBackground(work: Promise<unknown>): void {
    this.#background.push(work);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await readRequest(request, this.now(), (path) => this.pathOf(path));
    const fault = this.#faults.take(received);
    const handled = fault === null || isProcessed(fault);
    const access = this.accessOf(received);
    const authorized = access !== null;
    this.calls.push({ ...received, authorized, fault: fault?.kind ?? null, handled });
    const regular = handled
      ? this.handle(received, access)
      : this.faultAnswers.refusal(500, 'not carried out');
    if (fault === null) return sendAnswer(response, this.addVendorHeaders(regular));
    if (fault.kind === 'slow') await this.#hold();
    sendFaulty(response, fault, this.addVendorHeaders(regular), this.faultAnswers);
  }

  async #hold(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#held.push(resolve);
      for (const watcher of this.#heldWatchers.splice(0)) watcher();
    });
  }
}
