import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Reconciliation } from '../../../shared/api/fax.ts';
import type { DocumentSource } from '../../documents/documents.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { newId } from '../../platform/ids.ts';
import { toE164 } from '../../platform/phone-number.ts';
import { Acceptance, type SendRequest } from './accept.ts';
import { openArtifact } from './artifact.ts';
import { type Callback, receiveCallback } from './callback.ts';
import { defineCleanup } from './cleanup.ts';
import { cancel, reconcile, refresh, release } from './commands.ts';
import { isTerminal } from './delivery-state.ts';
import { defineDispatch } from './dispatch.ts';
import { badNumber, documentGone, noSuchFax, notInThisState } from './errors.ts';
import { pdfServed } from './events.ts';
import { checkLink } from './link.ts';
import { OrphanSweep } from './orphan-sweep.ts';
import type { OutboundParts } from './parts.ts';
import { definePoll } from './poll.ts';
import { Previews } from './preview.ts';
import { transmissionReport } from './report.ts';
import { newestAttempt, newestAttempts } from './store/attempt-store.ts';
import { type HistoryEvent, listHistory } from './store/history-store.ts';
import { countByState, findJob, type JobFilter, listJobs } from './store/job-store.ts';
import type { Actor, FaxRecord, JobRow } from './types.ts';

export interface Acting {
  readonly actor: Actor;
  readonly requestId: string;
}

/** The room's door: sending, watching and deciding faxes. Refusals are FaxRefusalError, bad documents DocumentError. */
export class OutboundService {
  readonly #parts: OutboundParts;
  readonly #acceptance: Acceptance;
  readonly #previews: Previews;
  readonly #sweep: OrphanSweep;
  readonly jobs: readonly JobDefinition<never>[];
  readonly #cleanup: ReturnType<typeof defineCleanup>;

  constructor(parts: OutboundParts) {
    this.#parts = parts;
    this.#acceptance = new Acceptance(parts);
    this.#previews = new Previews(parts);
    this.#sweep = new OrphanSweep(parts);
    this.#cleanup = defineCleanup(parts);
    this.jobs = [
      defineDispatch(parts),
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

  /** Ends the clearing that `start` began, before the store is closed. */
  async stop(): Promise<void> {
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

  async send(request: Omit<SendRequest, 'resendOf'>): Promise<FaxRecord> {
    return this.#withAttempt(await this.#acceptance.accept({ ...request, resendOf: null }));
  }

  /** The same document as a new fax. The old one is untouched and must have ended. */
  async resend(
    id: string,
    options: Acting & { to: string | null; idempotencyKey: string | null },
  ): Promise<FaxRecord> {
    const { job } = await this.get(id);
    if (!isTerminal(job.delivery_state))
      throw notInThisState(
        job.delivery_state === 'reconciliation_required'
          ? 'Decide first whether this fax arrived; then it can be sent again.'
          : 'This fax has not ended yet.',
      );
    const from = this.#parts.storage.localPath(job.artifact ?? '-');
    if (job.artifact === null || !from) throw documentGone();
    const path = join(this.#parts.workDirectory, newId());
    try {
      await copyFile(from, path).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? documentGone() : error;
      });
      const source = { path, fileName: job.document_name, declaredType: 'application/pdf' };
      const { actor, requestId, idempotencyKey } = options;
      const row = await this.#acceptance.accept({
        to: options.to ?? job.to_number,
        sources: [{ ...source, digest: `${job.id} ${job.document_sha256}` }],
        flags: {
          queue_only: false,
          send_now: false,
          urgent: job.urgent === 1,
          send_by_call: job.send_by_call === 1,
        },
        idempotencyKey,
        resendOf: job.id,
        actor,
        requestId,
      });
      return await this.#withAttempt(row);
    } finally {
      await rm(path, { force: true });
    }
  }

  async get(id: string): Promise<FaxRecord> {
    const job = await findJob(this.#parts.db.read, id);
    if (!job) throw noSuchFax();
    return this.#withAttempt(job);
  }

  async list(filter: JobFilter): Promise<{ items: FaxRecord[]; next_cursor: string | null }> {
    const to = filter.to === undefined ? undefined : toE164(filter.to, this.#parts.settings.country());
    if (to === null) throw badNumber();
    const page = await listJobs(this.#parts.db.read, { ...filter, to });
    const attempts = await newestAttempts(
      this.#parts.db.read,
      page.items.map((job) => job.id),
    );
    const items = page.items.map((job) => ({ job, attempt: attempts.get(job.id) ?? null }));
    return { items, next_cursor: page.next_cursor };
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

  async preview(
    sources: readonly DocumentSource[],
    options: { to: string | null; cleanGreys: boolean; ownerId: string },
  ) {
    if (options.to !== null && !toE164(options.to, this.#parts.settings.country())) throw badNumber();
    return this.#previews.make(sources, options);
  }

  async previewPage(id: string, page: number, ownerId: string): Promise<Uint8Array> {
    return this.#previews.page(id, page, ownerId);
  }

  /** True when the callback changed something. Throws 401, 409 or 400 refusals. */
  async callback(callback: Callback): Promise<boolean> {
    return receiveCallback(this.#parts, callback);
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
