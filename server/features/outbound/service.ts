import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { FaxCounts, Reconciliation } from '../../../shared/api/fax.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { openArtifact } from './artifact.ts';
import { type Callback, type CallbackHint, receiveCallback, receiveHint } from './callback.ts';
import { defineCleanup } from './cleanup.ts';
import { cancel, reconcile, refresh, release } from './commands.ts';
import { defineDispatch } from './dispatch.ts';
import { noSuchFax } from './errors.ts';
import { pdfServed } from './events.ts';
import { checkLink } from './link.ts';
import { countFaxes, type ListRequest, listFaxes } from './listing.ts';
import { checkNumber, recentNumbers } from './numbers.ts';
import { createOrphanSweep } from './orphan-sweep.ts';
import type { OutboundParts } from './parts.ts';
import { definePoll } from './poll.ts';
import { Previews } from './preview.ts';
import { transmissionReport } from './report.ts';
import { defineWait } from './send-later.ts';
import { type ResendOrder, Sending, type SendOrder } from './sending.ts';
import { newestAttempt } from './store/attempt-store.ts';
import { type HistoryEvent, listHistory } from './store/history-store.ts';
import { countByState, findJob } from './store/job-store.ts';
import type { Actor, FaxRecord, JobRow } from './types.ts';

export interface Acting {
  readonly actor: Actor;
  readonly requestId: string;
}

/** The room's door: sending, watching and deciding faxes. Refusals are FaxRefusalError, bad documents DocumentError. */
export class OutboundService {
  readonly #parts: OutboundParts;
  readonly #sending: Sending;
  readonly #sweep: ReturnType<typeof createOrphanSweep>;
  /** What the far machine will print. */
  readonly previews: Previews;
  readonly jobs: readonly JobDefinition<never>[];
  readonly #cleanup: ReturnType<typeof defineCleanup>;

  constructor(parts: OutboundParts) {
    this.#parts = parts;
    this.previews = new Previews(parts);
    this.#sending = new Sending(parts, this.previews);
    this.#sweep = createOrphanSweep(parts);
    this.#cleanup = defineCleanup(parts);
    this.jobs = [
      defineDispatch(parts),
      defineWait(parts),
      definePoll(parts),
      this.#cleanup.definition,
    ] as unknown as JobDefinition<never>[];
  }

  /** Clears what a crash left on the disk; then the room may take requests. */
  async start(): Promise<void> {
    const { workDirectory } = this.#parts;
    await mkdir(workDirectory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(workDirectory))
      await rm(join(workDirectory, name), { recursive: true, force: true });
    await this.#sweep.start();
    await this.planCleanup();
  }

  /** Ends the previews and the clearing that `start` began, before the store is closed. */
  async stop(): Promise<void> {
    await this.previews.close();
    await this.#sweep.stop();
  }

  /** Waits for the clearing that `start` began. */
  async cleared(): Promise<void> {
    await this.#sweep.done();
  }

  /** Plans the next cleanup by the present interval. */
  async planCleanup(): Promise<void> {
    await this.#cleanup.plan();
  }

  async send(request: SendOrder): Promise<FaxRecord> {
    return this.#withAttempt(await this.#sending.send(request));
  }

  /** The same document as a new fax. The old one is untouched and must have ended. */
  async resend(id: string, options: ResendOrder): Promise<FaxRecord> {
    const { job } = await this.get(id);
    return this.#withAttempt(await this.#sending.resend(job, options));
  }

  async get(id: string): Promise<FaxRecord> {
    const job = await findJob(this.#parts.db.read, id);
    if (!job) throw noSuchFax();
    return this.#withAttempt(job);
  }

  async list(request: ListRequest): Promise<{ items: FaxRecord[]; next_cursor: string | null }> {
    return listFaxes(this.#parts, request);
  }

  async countFaxes(personId: string): Promise<z.infer<typeof FaxCounts>> {
    return countFaxes(this.#parts, personId);
  }

  async numbers(request: Parameters<typeof recentNumbers>[1]): ReturnType<typeof recentNumbers> {
    return recentNumbers(this.#parts, request);
  }

  async checkNumber(text: string): ReturnType<typeof checkNumber> {
    return checkNumber(this.#parts, text);
  }

  async history(id: string): Promise<HistoryEvent[]> {
    await this.get(id);
    return listHistory(this.#parts.db.read, id);
  }

  async release(id: string, version: number, acting: Acting): Promise<FaxRecord> {
    await release(this.#parts, { id, version, ...acting });
    return this.get(id);
  }

  async cancel(id: string, version: number, acting: Acting): Promise<FaxRecord> {
    await cancel(this.#parts, { id, version, ...acting });
    return this.get(id);
  }

  async reconcile(id: string, decision: z.infer<typeof Reconciliation>, acting: Acting): Promise<FaxRecord> {
    await reconcile(this.#parts, { id, version: decision.delivery_version, ...acting }, decision);
    return this.get(id);
  }

  async refresh(id: string, actor: Actor): Promise<FaxRecord> {
    await refresh(this.#parts, id, actor);
    return this.get(id);
  }

  /** The prepared PDF as a stream. */
  async document(id: string) {
    return openArtifact(this.#parts, (await this.get(id)).job);
  }

  /** The prepared PDF for whoever holds its link. */
  async linkedDocument(id: string, token: string, requestId: string) {
    await checkLink(this.#parts, id, token);
    const document = await this.document(id);
    pdfServed(this.#parts, id, requestId);
    return document;
  }

  async report(id: string): Promise<Uint8Array> {
    return transmissionReport(this.#parts, await this.get(id));
  }

  /** True when the callback changed something. Throws 401, 409 or 400 refusals. */
  async callback(callback: Callback): Promise<boolean> {
    return receiveCallback(this.#parts, callback);
  }

  /** Asks the provider about the attempt. True when that ended the fax. Throws 401 and 409 refusals. */
  async callbackHint(hint: CallbackHint): Promise<boolean> {
    return receiveHint(this.#parts, hint);
  }

  async counts(): Promise<Record<string, number>> {
    return countByState(this.#parts.db.read);
  }

  async #withAttempt(job: JobRow): Promise<FaxRecord> {
    // An attempt begins with a move, so a fax that never moved has none.
    if (job.delivery_version === 1) return { job, attempt: null };
    return { job, attempt: (await newestAttempt(this.#parts.db.read, job.id)) ?? null };
  }
}
