import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { FaxCounts, Reconciliation } from '../../../shared/api/outbound-shapes.ts';
import type { Permission } from '../../../shared/permissions.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { actorOf, type Caller, type DocumentUse } from '../access/service.ts';
import { senderWarnings } from './accept/header.ts';
import { defineWait } from './accept/send-later.ts';
import { mailboxAgain, senderMailbox } from './accept/sender-mailbox.ts';
import { createSending, type ResendOrder, type Sending, type SendOrder } from './accept/sending.ts';
import { defineCleanup } from './cleanup/cleanup.ts';
import { createOrphanSweep } from './cleanup/orphan-sweep.ts';
import { openArtifact } from './dispatch/artifact.ts';
import { defineDispatch } from './dispatch/dispatch.ts';
import { checkLink } from './dispatch/link.ts';
import { noSuchFax } from './errors.ts';
import { eventOf, pdfServed } from './events.ts';
import { countFaxes, type ListRequest, listFaxes } from './list/listing.ts';
import { checkNumber, recentNumbers } from './list/numbers.ts';
import { recordsOf } from './list/records.ts';
import {
  type Callback,
  type CallbackHead,
  type CallbackHint,
  checkCallbackHead,
  receiveCallback,
  receiveHint,
} from './outcome/callback.ts';
import { cancel, reconcile, refresh, release } from './outcome/commands.ts';
import {
  callbackWarnings,
  defineMissedCallbacks,
  type UnreportedOutcomes,
  unreportedOutcomes,
} from './outcome/missed-callbacks.ts';
import { definePoll } from './outcome/poll.ts';
import type { FaxEvents, OutboundParts } from './parts.ts';
import { createPreviews, type Previews } from './preview/preview.ts';
import { transmissionReport } from './report.ts';
import { changedSince } from './store/changes-store.ts';
import { hasDelivered } from './store/delivered-store.ts';
import { type HistoryEvent, listHistory } from './store/history-store.ts';
import { countByState, findJob } from './store/job-store.ts';
import { findRequest } from './store/request-store.ts';
import type { FaxRecord, JobRow } from './types.ts';
import { assertMay } from './visibility.ts';

type Asked<T> = Omit<T, 'mailbox' | 'caller'> & {
  /** By id or label; null leaves the choice to the gateway. */
  readonly mailbox: string | null;
};
export type SendRequest = Asked<SendOrder>;
export type ResendRequest = Asked<ResendOrder>;

export type { SentFaxAccess } from './types.ts';
export { mayKnowOfSent } from './visibility.ts';

/** The service of the room: sending, watching and deciding faxes. Refusals are FaxRefusalError, bad documents DocumentError. */
export function createOutboundService(parts: OutboundParts): OutboundService {
  return new OutboundService(parts);
}

export type { OutboundService };

class OutboundService {
  readonly #parts: OutboundParts;
  readonly #sending: Sending;
  readonly #sweep: ReturnType<typeof createOrphanSweep>;
  /** What the far machine will print. */
  readonly previews: Previews;
  readonly jobs: readonly JobDefinition<never>[];
  readonly #cleanup: ReturnType<typeof defineCleanup>;
  readonly #missedCallbacks: ReturnType<typeof defineMissedCallbacks>;

  constructor(parts: OutboundParts) {
    this.#parts = parts;
    this.previews = createPreviews(parts);
    this.#sending = createSending(parts, this.previews);
    this.#sweep = createOrphanSweep(parts);
    this.#cleanup = defineCleanup(parts);
    this.#missedCallbacks = defineMissedCallbacks(parts);
    this.jobs = [
      defineDispatch(parts),
      defineWait(parts),
      definePoll(parts),
      this.#missedCallbacks.definition,
      this.#cleanup.definition,
    ] as unknown as JobDefinition<never>[];
  }

  /** Clears what a crash left on the disk; then the room may take requests. */
  async start(): Promise<void> {
    const { workDirectory } = this.#parts;
    await makeFolder(workDirectory);
    for (const name of await readdir(workDirectory))
      await rm(join(workDirectory, name), { recursive: true, force: true });
    await this.#sweep.start();
    await this.planCleanup();
    await this.#missedCallbacks.plan();
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

  /** Outcomes that providers should have reported and did not. */
  async reportProblems(): Promise<UnreportedOutcomes[]> {
    return unreportedOutcomes(this.#parts);
  }

  /** What somebody should look at although faxes are sent. */
  async warnings(): Promise<string[]> {
    return [...senderWarnings(this.#parts.settings), ...(await callbackWarnings(this.#parts))];
  }

  async send(caller: Caller, { mailbox, ...order }: SendRequest): Promise<FaxRecord> {
    const resolve = () => senderMailbox(this.#parts.db.read, caller, mailbox);
    return this.#record(
      caller,
      await this.#sending.send({ ...order, mailbox: { named: mailbox, resolve }, caller }),
    );
  }

  /** Whether the caller had a fax accepted with this Idempotency-Key. */
  async isRepeat(caller: Caller, key: string): Promise<boolean> {
    return (
      (await findRequest(this.#parts.db.read, this.#parts.seal, { callerId: caller.principal.id, key })) !==
      undefined
    );
  }

  /** The same document as a new fax. The old one is untouched and must have ended. */
  async resend(caller: Caller, id: string, { mailbox, ...order }: ResendRequest): Promise<FaxRecord> {
    const job = await this.#find(caller, 'fax:send', id);
    const wanted = { before: job.mailbox_id, wanted: mailbox };
    const resolve = () => mailboxAgain(this.#parts.db.read, caller, wanted);
    return this.#record(
      caller,
      await this.#sending.resend(job, { ...order, mailbox: { named: mailbox, resolve }, caller }),
    );
  }

  async get(caller: Caller, id: string): Promise<FaxRecord> {
    return this.#record(caller, await this.#find(caller, 'fax:read', id));
  }

  async list(
    caller: Caller,
    request: ListRequest,
  ): Promise<{ items: FaxRecord[]; next_cursor: string | null }> {
    return listFaxes(this.#parts, caller, request);
  }

  async countFaxes(caller: Caller): Promise<z.infer<typeof FaxCounts>> {
    return countFaxes(this.#parts, caller);
  }

  async numbers(
    caller: Caller,
    request: Parameters<typeof recentNumbers>[2],
  ): ReturnType<typeof recentNumbers> {
    return recentNumbers(this.#parts, caller, request);
  }

  async checkNumber(caller: Caller, text: string): ReturnType<typeof checkNumber> {
    return checkNumber(this.#parts, caller, text);
  }

  async history(caller: Caller, id: string): Promise<HistoryEvent[]> {
    await this.#find(caller, 'fax:read', id);
    return listHistory(this.#parts.db.read, id);
  }

  async release(caller: Caller, id: string, version: number): Promise<FaxRecord> {
    await this.#find(caller, 'fax:send', id);
    await release(this.#parts, { id, version, actor: actorOf(caller) });
    return this.#now(caller, id);
  }

  async cancel(caller: Caller, id: string, version: number): Promise<FaxRecord> {
    await this.#find(caller, 'fax:send', id);
    await cancel(this.#parts, { id, version, actor: actorOf(caller) });
    return this.#now(caller, id);
  }

  async reconcile(caller: Caller, id: string, decision: z.infer<typeof Reconciliation>): Promise<FaxRecord> {
    await this.#find(caller, 'fax:reconcile', id);
    const command = { id, version: decision.delivery_version, actor: actorOf(caller) };
    await reconcile(this.#parts, command, decision);
    return this.#now(caller, id);
  }

  async refresh(caller: Caller, id: string): Promise<FaxRecord> {
    await this.#find(caller, 'fax:refresh', id);
    await refresh(this.#parts, id, actorOf(caller));
    return this.#now(caller, id);
  }

  /** The prepared PDF as a stream. */
  async document(caller: Caller, id: string, use: DocumentUse) {
    const opened = await openArtifact(this.#parts, await this.#find(caller, 'fax:document', id));
    await this.#parts.noteDocumentRead(caller, { use, document: 'sent fax', id });
    return opened;
  }

  /** The prepared PDF for whoever holds its link. */
  async linkedDocument(id: string, token: string, requestId: string) {
    await checkLink(this.#parts, id, token);
    const document = await openArtifact(this.#parts, await this.#job(id));
    pdfServed(this.#parts, id, requestId);
    return document;
  }

  async report(caller: Caller, id: string, use: DocumentUse): Promise<Uint8Array> {
    const job = await this.#find(caller, 'fax:document', id);
    const report = await transmissionReport(this.#parts, caller, await this.#record(caller, job));
    await this.#parts.noteDocumentRead(caller, { use, document: 'transmission report', id });
    return report;
  }

  /** Before the body of a signed callback is read. Throws a 401 refusal when no body could prove it. */
  async checkCallbackHead(callback: CallbackHead): Promise<void> {
    await checkCallbackHead(this.#parts, callback);
  }

  /** True when the callback changed something. Throws 401, 409 or 400 refusals. */
  async callback(callback: Callback): Promise<boolean> {
    return receiveCallback(this.#parts, callback);
  }

  /** Asks the provider about the attempt. True when that ended the fax. Throws 401 and 409 refusals. */
  async callbackHint(hint: CallbackHint): Promise<boolean> {
    return receiveHint(this.#parts, hint);
  }

  /** What any gateway on the store recorded after an entry of the history. */
  async changedSince(historyId: string, limit: number): Promise<FaxEvents['fax.changed'][]> {
    const faxes = await changedSince(this.#parts.db.read, historyId, limit);
    return faxes.map(eventOf);
  }

  /** Whether any fax was ever delivered. */
  async hasDelivered(): Promise<boolean> {
    return hasDelivered(this.#parts.db.read);
  }

  async counts(): Promise<Record<string, number>> {
    return countByState(this.#parts.db.read);
  }

  /** Hidden and unknown are one answer. */
  async #find(caller: Caller, permission: Permission, id: string): Promise<JobRow> {
    return assertMay(caller, permission, await findJob(this.#parts.db.read, id));
  }

  /** As it stands, for whoever was let through before. */
  async #now(caller: Caller, id: string): Promise<FaxRecord> {
    return this.#record(caller, await this.#job(id));
  }

  async #job(id: string): Promise<JobRow> {
    const job = await findJob(this.#parts.db.read, id);
    if (!job) throw noSuchFax();
    return job;
  }

  async #record(caller: Caller, job: JobRow): Promise<FaxRecord> {
    const [record] = await recordsOf(this.#parts.db.read, caller, [job]);
    return record as FaxRecord;
  }
}
