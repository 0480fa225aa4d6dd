import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { FaxCounts, Reconciliation } from '../../../shared/api/outbound-shapes.ts';
import type { Permission } from '../../../shared/permissions.ts';
import type { Schedule } from '../../jobs/schedule.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { actorOf, type Caller, type DocumentUse } from '../access/service.ts';
import type { NumberMemory } from '../contacts/port.ts';
import { senderMailbox } from './accept/sender-mailbox.ts';
import type { ResendOrder, Sending, SendOrder } from './accept/sending.ts';
import { openArtifact, openForTransport } from './dispatch/artifact.ts';
import { checkLink } from './dispatch/link.ts';
import { noSuchFax } from './errors.ts';
import { countFaxes, type ListRequest, listFaxes } from './list/listing.ts';
import { checkNumber, recentNumbers } from './list/numbers.ts';
import { recordsOf } from './list/records.ts';
import { transmissionReport } from './list/transmission-report.ts';
import type { Callbacks } from './outcome/callbacks.ts';
import type { Commands } from './outcome/commands.ts';
import { callbackWarnings, type UnreportedOutcomes, unreportedOutcomes } from './outcome/missed-callbacks.ts';
import type { FaxEvents, OutboundParts } from './parts.ts';
import { senderWarnings } from './plan/header.ts';
import type { Previews } from './preview/preview.ts';
import { storedSendAt } from './queue/send-later.ts';
import { eventOf, type FaxNotifier } from './record/events.ts';
import type { UnusableKeyHandler } from './record/unusable-key.ts';
import { changedSince, type HistoryEvent, listHistory } from './store/history-store.ts';
import { countByState, findJob } from './store/job-store.ts';
import { lastDeliveredAt } from './store/outcome-store.ts';
import { findRequest } from './store/request-store.ts';
import { clearUnseen } from './store/unseen-store.ts';
import type { Actor, FaxRecord, JobRow } from './types.ts';
import { assertMay, isOwn } from './visibility.ts';

type Parts = Pick<
  OutboundParts,
  | 'db'
  | 'clock'
  | 'seal'
  | 'storage'
  | 'documents'
  | 'transports'
  | 'settings'
  | 'noteDocumentRead'
  | 'contacts'
  | 'progress'
  | 'costs'
  | 'workDirectory'
> & { readonly notifier: FaxNotifier };

/** Request with a mailbox by ID or label; null leaves the choice to the gateway. */
type SendRequest = Omit<SendOrder, 'mailbox' | 'caller'> & { readonly mailbox: string | null };
type ResendRequest = Omit<ResendOrder, 'caller'>;

const LOCKED =
  'Faxes that wait are not sent, and providers are not asked for outcomes, until the right data key is back.';

export type { SentOutcome } from './types.ts';

/** The service of the room: sending, watching and deciding faxes. Refusals are FaxRefusalError, bad documents DocumentError. */
export function createOutboundService(parts: Parts, built: BuiltParts): OutboundService {
  return new OutboundService(parts, built);
}

/** The parts of the room that the service begins, ends and passes requests on to. */
interface BuiltParts {
  readonly sending: Sending;
  /** Previews of the pages that the receiving machine will print. */
  readonly previews: Previews;
  readonly callbacks: Callbacks;
  readonly commands: Commands;
  readonly numberMemory: NumberMemory;
  readonly unusableKeyHandler: UnusableKeyHandler;
  readonly cleanup: Schedule;
  readonly missedCallbacks: Schedule;
}

export type { OutboundService };

class OutboundService {
  readonly #parts: Parts;
  readonly #built: BuiltParts;
  /** Previews of the pages that the receiving machine will print. */
  readonly previews: Previews;
  readonly callbacks: Callbacks;
  readonly numberMemory: NumberMemory;

  constructor(parts: Parts, built: BuiltParts) {
    this.#parts = parts;
    this.#built = built;
    this.previews = built.previews;
    this.callbacks = built.callbacks;
    this.numberMemory = built.numberMemory;
  }

  /** Clears what a crash left on the disk; then the room may take requests. */
  async start(): Promise<void> {
    const { workDirectory } = this.#parts;
    await makeFolder(workDirectory);
    for (const name of await readdir(workDirectory))
      await rm(join(workDirectory, name), { recursive: true, force: true });
    await this.planCleanup();
    await this.#built.missedCallbacks.plan();
    this.#built.unusableKeyHandler.start();
  }

  /** Ends the previews, before the store is closed. */
  async stop(): Promise<void> {
    await this.#built.unusableKeyHandler.stop();
    await this.previews.close();
  }

  /** Does what a timer else does. */
  async catchUp(): Promise<void> {
    await this.#built.unusableKeyHandler.check();
  }

  /** Plans the next cleanup by the present interval. */
  async planCleanup(): Promise<void> {
    await this.#built.cleanup.plan();
  }

  /** Outcomes that providers should have reported and did not. */
  async reportProblems(): Promise<UnreportedOutcomes[]> {
    return unreportedOutcomes(this.#parts);
  }

  /** Lists sentences about problems that need attention although faxes are sent. */
  async warnings(): Promise<string[]> {
    const locked = this.#parts.seal.problem === null ? [] : [LOCKED];
    return [...locked, ...senderWarnings(this.#parts.settings), ...(await callbackWarnings(this.#parts))];
  }

  async send(caller: Caller, { mailbox, ...order }: SendRequest): Promise<FaxRecord> {
    const resolve = () => senderMailbox(this.#parts.db.read, caller, mailbox);
    return this.#record(
      caller,
      await this.#built.sending.send({ ...order, mailbox: { named: mailbox, resolve }, caller }),
    );
  }

  /** Returns the ID of the fax accepted for this caller and Idempotency-Key; null for none. */
  async repeatOf(callerId: string, key: string): Promise<string | null> {
    const { db, seal } = this.#parts;
    return (await findRequest(db.read, seal, { callerId, key }))?.job_id ?? null;
  }

  /** The same document as a new fax. The old one is untouched and must have ended. */
  async resend(caller: Caller, id: string, order: ResendRequest): Promise<FaxRecord> {
    const job = await this.#find(caller, 'fax:send', id);
    return this.#record(caller, await this.#built.sending.resend(job, { ...order, caller }));
  }

  /** A busy or unanswered number again in a few minutes, as a new fax; see `Sending`. */
  async tryAgain(caller: Caller, id: string): Promise<FaxRecord> {
    const job = await this.#find(caller, 'fax:send', id);
    return this.#record(caller, await this.#built.sending.tryAgain(job, caller));
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
    // A person who searches for a number is about to send a document to it.
    this.#parts.documents.warmUp();
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
    return this.#act(caller, 'fax:send', id, (actor) =>
      this.#built.commands.release({ id, version, actor }, caller),
    );
  }

  async cancel(caller: Caller, id: string, version: number): Promise<FaxRecord> {
    return this.#act(caller, 'fax:send', id, (actor) => this.#built.commands.cancel({ id, version, actor }));
  }

  /** Moves a scheduled fax to a time in any offset; null sends it now. */
  async schedule(
    caller: Caller,
    id: string,
    { delivery_version: version, send_at }: { delivery_version: number; send_at: string | null },
  ): Promise<FaxRecord> {
    const move = (actor: Actor) =>
      this.#built.commands.schedule({ id, version, actor }, storedSendAt(send_at));
    return this.#act(caller, 'fax:send', id, move);
  }

  /** The caller has seen that the fax failed; it counts for its sender only. */
  async seen(caller: Caller, id: string): Promise<FaxRecord> {
    const job = await this.#find(caller, 'fax:read', id);
    if (isOwn(caller, job))
      await this.#parts.db.transaction(async (tx) => {
        if (await clearUnseen(tx, job)) this.#parts.notifier.notifyVersion(tx, job);
      });
    return this.#record(caller, job);
  }

  async reconcile(caller: Caller, id: string, decision: z.infer<typeof Reconciliation>): Promise<FaxRecord> {
    const version = decision.delivery_version;
    const decide = (actor: Actor) => this.#built.commands.reconcile({ id, version, actor }, decision);
    return this.#act(caller, 'fax:reconcile', id, decide);
  }

  async refresh(caller: Caller, id: string): Promise<FaxRecord> {
    return this.#act(caller, 'fax:refresh', id, (actor) => this.#built.commands.refresh(id, actor));
  }

  /** The prepared PDF as a stream. */
  async document(caller: Caller, id: string, use: DocumentUse) {
    const opened = await openArtifact(this.#parts, await this.#find(caller, 'fax:document', id));
    await this.#parts.noteDocumentRead(caller, { use, document: 'sent fax', id });
    return opened;
  }

  /** Returns the prepared PDF to the holder of its link. */
  async linkedDocument(id: string, token: string, requestId: string) {
    await checkLink(this.#parts, id, token);
    const document = await openForTransport(this.#parts, await this.#job(id));
    this.#parts.notifier.notifyServed(id, requestId);
    return document;
  }

  async report(caller: Caller, id: string, use: DocumentUse): Promise<Uint8Array> {
    const job = await this.#find(caller, 'fax:document', id);
    const report = await transmissionReport(this.#parts, caller, await this.#record(caller, job));
    await this.#parts.noteDocumentRead(caller, { use, document: 'transmission report', id });
    return report;
  }

  /** Lists changes recorded after a history entry by any gateway on the store. */
  async changedSince(historyId: string, limit: number): Promise<FaxEvents['fax.changed'][]> {
    const faxes = await changedSince(this.#parts.db.read, historyId, limit);
    return faxes.map(eventOf);
  }

  /** ISO 8601 UTC; null when no fax was ever delivered. */
  async lastDeliveredAt(): Promise<string | null> {
    return lastDeliveredAt(this.#parts.db.read);
  }

  async counts(): Promise<Record<string, number>> {
    return countByState(this.#parts.db.read);
  }

  /** Checks the permission, carries out a command and returns the updated fax. */
  async #act(
    caller: Caller,
    permission: Permission,
    id: string,
    run: (actor: Actor) => Promise<void>,
  ): Promise<FaxRecord> {
    await this.#find(caller, permission, id);
    await run(actorOf(caller));
    return this.#now(caller, id);
  }

  /** Hidden and unknown are one answer. */
  async #find(caller: Caller, permission: Permission, id: string): Promise<JobRow> {
    return assertMay(caller, permission, await findJob(this.#parts.db.read, id));
  }

  /** Returns the present record; the caller was authorized before. */
  async #now(caller: Caller, id: string): Promise<FaxRecord> {
    return this.#record(caller, await this.#job(id));
  }

  async #job(id: string): Promise<JobRow> {
    const job = await findJob(this.#parts.db.read, id);
    if (!job) throw noSuchFax();
    return job;
  }

  async #record(caller: Caller, job: JobRow): Promise<FaxRecord> {
    const [record] = await recordsOf(this.#parts, caller, [job]);
    return record as FaxRecord;
  }
}
