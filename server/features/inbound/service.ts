import type { z } from 'zod';
import type { BlockedSender } from '../../../shared/api/inbound-junk.ts';
import type { InboundCounts, InboundEvidence } from '../../../shared/api/inbound-shapes.ts';
import type { Backend } from '../../../shared/backends.ts';
import type { Permission } from '../../../shared/permissions.ts';
import type { ReadDb } from '../../db/database.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import type { GivenAbout } from '../../platform/fax-about.ts';
import type { HoldScope } from '../../platform/hold-scope.ts';
import { actorOf, type Caller, type DocumentUse } from '../access/service.ts';
import type { KeyListener, ReceivedMemory } from '../contacts/port.ts';
import type { ReceivedFaxes } from '../outbound/port.ts';
import { offerSource, sourcedFax } from './arriving/document-source.ts';
import { defineFetch } from './arriving/fetch.ts';
import { recordAnotherDocument } from './arriving/file-document.ts';
import { createHandIn, type HandIn } from './arriving/hand-in.ts';
import { createInternalDelivery, type InternalDelivery } from './arriving/internal-delivery.ts';
import { keepDocument } from './arriving/keep-document.ts';
import { checkHead, type Notification, receiveNotification } from './arriving/notification.ts';
import { definePoll } from './arriving/poll.ts';
import {
  completeAddress,
  type ReceivingFacts,
  receivingFacts,
  unverifiable,
} from './arriving/receiving-facts.ts';
import { record } from './arriving/record.ts';
import { makeTestFax, receiveTestFax, type TestOrder } from './arriving/test-fax.ts';
import { SYSTEM } from './changes.ts';
import { defineDecode } from './decoding/decode.ts';
import { createKeyListener, defineNewKey } from './decoding/new-key.ts';
import { decodeAgain } from './decoding/try-again.ts';
import { noSuchAddress, noSuchPage, receivingOff } from './errors.ts';
import { heldAmong, heldReceivedFaxes } from './legal-hold.ts';
import type { InboundEvents, InboundParts } from './parts.ts';
import { type AboutOfFaxes, aboutOfFaxes } from './reading/about.ts';
import { listBlockedSenders, presentSenders } from './reading/blocked-senders.ts';
import { countDirectWithoutItem } from './reading/direct-documents.ts';
import { findFor } from './reading/find-fax.ts';
import { createIncompleteFaxes, type IncompleteFaxes } from './reading/incomplete.ts';
import {
  countInbound,
  type InboundPage,
  type ListRequest,
  listInbound,
  presentAll,
} from './reading/listing.ts';
import { storedNameOf, storedRefusal } from './reading/open-document.ts';
import {
  awaitedUntil,
  openOriginal,
  type RecoveredOriginal,
  recoveredOriginalOf,
  type StoredOriginal,
  storedOriginalOf,
} from './reading/open-original.ts';
import { createPagePictures, type PagePictures } from './reading/page-pictures.ts';
import { type InboundAnswer, presentEvidence } from './reading/present.ts';
import { setRead } from './reading/read-marks.ts';
import { createReceivedFaxes } from './reading/received-faxes.ts';
import { createReceivedMemory } from './reading/received-memory.ts';
import { recordedFax } from './reading/recorded-fax.ts';
import { turnPages } from './reading/turns.ts';
import { changedSince, listEvidence } from './store/evidence-store.ts';
import {
  countByStatus,
  countJunk,
  findFax,
  findOfProvider,
  junkAmong,
  lastReceivedAt,
  listWithSource,
} from './store/fax-store.ts';
import { listReaders } from './store/read-store.ts';
import type {
  CheckedReport,
  DocumentDigest,
  FaxRow,
  FilingOutcome,
  ReceivedFaxAccess,
  RecordedFax,
  SourcedFax,
} from './types.ts';
import { createReceivedArchiving, type ReceivedArchiving } from './upkeep/archived-faxes.ts';
import {
  type BlockRequest,
  blockSender,
  takeOutOfJunk,
  unblockSender,
  undoJunk,
} from './upkeep/block-sender.ts';
import { describeFax } from './upkeep/describe.ts';
import { fetchAgain } from './upkeep/fetch-again.ts';
import { applyRules, moveFax, moveTargets } from './upkeep/move.ts';
import { defineRetention } from './upkeep/retention.ts';
import { mayReceiveFaxEvents } from './visibility.ts';

export type { InternalDelivery } from './arriving/internal-delivery.ts';
export { MAX_DOCUMENT_BYTES } from './arriving/keep-document.ts';
export { notificationCopy } from './arriving/notification-copy.ts';
export { filedFaxes } from './store/fax-store.ts';
export { countRemoved } from './store/removal-store.ts';
export { mayOpenDocument, mayReadFax, mayReceiveFaxEvents } from './visibility.ts';
export type { InboundService, Notification, ReceivingFacts };

/** Receives faxes and lets callers read them. Refusals are InboundRefusalError. */
export function createInboundService(parts: InboundParts): InboundService {
  return new InboundService(parts);
}

class InboundService {
  readonly #parts: InboundParts;
  readonly #pictures: PagePictures;
  readonly #poll: ReturnType<typeof definePoll>;
  readonly #retention: ReturnType<typeof defineRetention>;
  readonly jobs: readonly JobDefinition<never>[];
  /** Interface for a room that is handed whole documents. */
  readonly handIn: HandIn;
  /** Delivery of faxes to a number of the installation itself. */
  readonly internal: InternalDelivery;
  readonly incomplete: IncompleteFaxes;
  readonly about: AboutOfFaxes = aboutOfFaxes;
  /** Received faxes as the room of sent faxes needs them. */
  readonly received: ReceivedFaxes;
  /** Listener for keys of contacts, which may open pages that were received before. */
  readonly keyListener: KeyListener;
  readonly receivedMemory: ReceivedMemory;
  /** Revisions and removal for the room of archives. */
  readonly archiving: ReceivedArchiving;

  constructor(parts: InboundParts) {
    this.#parts = parts;
    this.handIn = createHandIn(parts);
    this.internal = createInternalDelivery(parts);
    this.incomplete = createIncompleteFaxes(parts);
    this.received = createReceivedFaxes(parts);
    this.keyListener = createKeyListener(parts);
    this.receivedMemory = createReceivedMemory(parts);
    this.archiving = createReceivedArchiving(parts);
    this.#pictures = createPagePictures(parts);
    this.#poll = definePoll(parts);
    this.#retention = defineRetention(parts);
    this.jobs = [
      defineFetch(parts),
      defineDecode(parts),
      defineNewKey(parts),
      this.#poll.definition,
      this.#retention.definition,
    ] as unknown as JobDefinition<never>[];
  }

  /** Applies the present settings: the schedules, and whose read marks count. */
  async plan(): Promise<void> {
    this.#parts.unreadIndex.forget(null);
    await this.#poll.plan();
    await this.#retention.plan();
  }

  /** Throws a 404 refusal while receiving is off. */
  assertOn(): void {
    if (!this.#parts.settings.enabled()) throw receivingOff();
  }

  get settings(): InboundParts['settings'] {
    return this.#parts.settings;
  }

  get workDirectory(): string {
    return this.#parts.workDirectory;
  }

  /** Checks the head of a notification before its body is read. */
  checkHead(backend: string, headers: Notification['request']['headers']): 'hint' | 'open' | 'genuine' {
    return checkHead(this.#parts, backend, headers);
  }

  async notification(notification: Notification): Promise<void> {
    await receiveNotification(this.#parts, notification);
  }

  /** Records a report for a document source. A new fax waits for its document, an existing one continues. */
  async record(reported: CheckedReport): Promise<SourcedFax> {
    return sourcedFax(this.#parts, await record(this.#parts, reported));
  }

  /**
   * Offers the document of an existing fax for a document source, which is requested to take it now, also when one is
   * filed.
   */
  async offer(faxId: string, source: unknown): Promise<SourcedFax> {
    return sourcedFax(this.#parts, await offerSource(this.#parts, faxId, source));
  }

  /**
   * Checks the PDF at a path, stores and files it, for a document source. A fax that has its document keeps it; another
   * one is recorded as a conflict. Throws UnreadableDocumentError, and errors of the disk as they are; then nothing is
   * filed.
   */
  async keepDocument(faxId: string, path: string, text: string): Promise<FilingOutcome> {
    return keepDocument(this.#parts, faxId, path, { text, actor: SYSTEM });
  }

  /**
   * Records a document that cannot be kept as a conflict of a fax that has its document, for a document source; null
   * for a fax without one.
   */
  async recordAnotherDocument(faxId: string, document: DocumentDigest): Promise<FilingOutcome | null> {
    return recordAnotherDocument(this.#parts, faxId, document);
  }

  /** Returns the existing faxes of an account, by the ids that were reported. */
  async findOfAccount(
    accountId: string,
    reportedIds: readonly string[],
  ): Promise<ReadonlyMap<string, SourcedFax>> {
    const rows = await findOfProvider(this.#parts.db.read, accountId, reportedIds);
    return new Map([...rows].map(([id, row]) => [id, sourcedFax(this.#parts, row)]));
  }

  /** Lists the faxes of all accounts of a backend whose document is still at its source. */
  async listWithSource(backend: Backend): Promise<SourcedFax[]> {
    const rows = await listWithSource(this.#parts.db.read, backend);
    return rows.map((row) => sourcedFax(this.#parts, row));
  }

  /** Returns warnings although faxes are received. */
  async warnings(): Promise<string[]> {
    return unverifiable(this.#parts);
  }

  /**
   * Returns the address at which a provider must notify, with user name and password. Throws a 404 refusal when there
   * is no such address.
   */
  completeAddress(backend: string): string {
    const address = completeAddress(this.#parts, backend);
    if (address === null) throw noSuchAddress();
    return address;
  }

  facts(): ReceivingFacts {
    return receivingFacts(this.#parts);
  }

  /** Returns the time of the newest received fax, ISO 8601 UTC; null when there is none. */
  async lastReceivedAt(): Promise<string | null> {
    return lastReceivedAt(this.#parts.db.read);
  }

  /** Lists the faxes that any gateway on the store changed after an entry of the evidence. */
  async changedSince(evidenceId: string, limit: number): Promise<InboundEvents['inbound.changed'][]> {
    return changedSince(this.#parts.db.read, evidenceId, limit);
  }

  async list(caller: Caller, request: ListRequest): Promise<InboundPage> {
    return listInbound(this.#parts, caller, request);
  }

  /** Counts the faxes of a legal hold, and the documents that only it keeps; `others` are the other open ones. */
  heldFaxes(hold: HoldScope, others: readonly HoldScope[]): ReturnType<typeof heldReceivedFaxes> {
    return heldReceivedFaxes(this.#parts, hold, others);
  }

  /** Returns those of the faxes that an open legal hold covers. Works inside a transaction. */
  heldAmong(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return heldAmong(this.#parts, db, ids);
  }

  countByStatus(): Promise<Record<string, number>> {
    return countByStatus(this.#parts.db.read);
  }

  async counts(caller: Caller): Promise<z.infer<typeof InboundCounts>> {
    return countInbound(this.#parts, caller);
  }

  async get(caller: Caller, id: string): Promise<InboundAnswer> {
    return this.#present(caller, await this.#find(caller, 'inbound:read', id));
  }

  /** Returns true when there is such a fax, and the caller may receive events about it. */
  async mayReceiveEvents(caller: Caller, id: string): Promise<boolean> {
    const row = await findFax(this.#parts.db.read, id);
    return row !== undefined && mayReceiveFaxEvents(caller, row);
  }

  /** Returns the fields that decide who may see a fax, which the caller may read. Throws 404 and 403 refusals. */
  async readable(caller: Caller, id: string): Promise<ReceivedFaxAccess> {
    const { mailbox_id, test } = await this.#find(caller, 'inbound:read', id);
    return { id, mailbox_id, test };
  }

  async evidence(caller: Caller, id: string): Promise<z.infer<typeof InboundEvidence>> {
    await this.#find(caller, 'inbound:read', id);
    return presentEvidence(await listEvidence(this.#parts.db.read, this.#parts.seal, id));
  }

  /** Lists the people who have read it, the first one first. */
  async readers(caller: Caller, id: string): Promise<{ id: string; name: string; read_at: string }[]> {
    await this.#find(caller, 'inbound:read', id);
    return listReaders(this.#parts.db.read, id);
  }

  /**
   * Returns the record of a fax for a room that has checked access to it. Undefined for an unknown id. Works inside a
   * transaction.
   */
  async recorded(db: ReadDb, id: string): Promise<RecordedFax | undefined> {
    return recordedFax(this.#parts, db, id);
  }

  /** Opens a stored document by its name, for a room that has checked access to it. Throws as the storage does. */
  async openStored(name: string): ReturnType<InboundParts['storage']['open']> {
    return this.#parts.storage.open(name);
  }

  /** Opens the document as a stream and marks the fax as read, unless `use` is `none`. */
  async openDocument(caller: Caller, id: string, use: DocumentUse) {
    const row = await this.#find(caller, 'inbound:document', id);
    const name = storedNameOf(row);
    const opened = await this.#parts.storage.open(name).catch((error: unknown) => {
      throw storedRefusal(error);
    });
    await this.#parts.noteDocumentRead(caller, { use, document: 'received fax', id });
    if (use !== 'none') await setRead(this.#parts, caller, row, true);
    return { ...opened, sha256: row.sha256 };
  }

  /** Opens the original that the pages of a fax carry. Throws a 404 refusal when there is none, or none any more. */
  async openOriginal(caller: Caller, id: string, use: DocumentUse) {
    await this.#find(caller, 'inbound:document', id);
    const original = await openOriginal(this.#parts, id);
    await this.#parts.noteDocumentRead(caller, { use, document: 'original of a received fax', id });
    return original;
  }

  /** Returns the stored original of a fax for a room that has checked access to it; null for none. */
  async storedOriginal(db: ReadDb, id: string): Promise<StoredOriginal | null> {
    return storedOriginalOf(db, id);
  }

  /** Returns the facts of the original that was recovered, also once it is not kept any more; null for none. */
  async recoveredOriginal(db: ReadDb, id: string): Promise<RecoveredOriginal | null> {
    return recoveredOriginalOf(db, id);
  }

  /** Returns the time until which an e-mail waits for the original, epoch ms; null when it waits for none. */
  async originalAwaitedUntil(id: string): Promise<number | null> {
    return awaitedUntil(this.#parts, id);
  }

  /** Looks at the pages again, also with the key of a contact that the caller chose. */
  async decodeAgain(caller: Caller, id: string, contactId: string | null): Promise<InboundAnswer> {
    await decodeAgain(this.#parts, caller, { id, contactId });
    return this.get(caller, id);
  }

  /** Returns a PNG of a page; `page` counts from 1. */
  async page(
    caller: Caller,
    id: string,
    { use, ...wanted }: { page: number; widthPx: number; use: DocumentUse },
  ): Promise<Uint8Array> {
    const row = await this.#find(caller, 'inbound:document', id);
    const name = storedNameOf(row);
    const pages = row.pages ?? 0;
    if (wanted.page > pages) throw noSuchPage({ page: wanted.page, pages });
    try {
      const picture = await this.#pictures.picture({
        faxId: id,
        document: name,
        pageCount: pages,
        callerId: caller.principal.id,
        ...wanted,
      });
      await this.#parts.noteDocumentRead(caller, { use, document: 'received fax', id });
      return picture;
    } catch (error) {
      throw storedRefusal(error);
    }
  }

  async mark(caller: Caller, id: string, read: boolean): Promise<InboundAnswer> {
    const row = await this.#find(caller, 'inbound:read', id);
    await setRead(this.#parts, caller, row, read);
    return this.#present(caller, row);
  }

  /** Turns pages for everybody who reads them; the document stays as it came. */
  async turn(
    caller: Caller,
    id: string,
    turn: { pages: readonly number[]; quarterTurns: number },
  ): Promise<InboundAnswer> {
    return this.#present(caller, await turnPages(this.#parts, caller, { id, ...turn }));
  }

  /** Changes subject, reference and document type for everybody. */
  async describe(
    caller: Caller,
    id: string,
    request: { about: GivenAbout; expected: GivenAbout },
  ): Promise<InboundAnswer> {
    return this.#present(caller, await describeFax(this.#parts, caller, { id, ...request }));
  }

  async blockedSenders(caller: Caller): Promise<z.infer<typeof BlockedSender>[]> {
    return listBlockedSenders(this.#parts, caller);
  }

  /** Blocks a sender for the whole office, and moves the fax from which it is blocked to Junk. */
  async blockSender(caller: Caller, request: BlockRequest) {
    const { sender, wasBlocked, fax } = await blockSender(this.#parts, caller, request);
    const [presented] = await presentSenders(this.#parts, caller, [sender]);
    if (!presented) throw new Error('a blocked sender was not presented');
    return {
      sender: presented,
      was_blocked: wasBlocked,
      fax: fax === null ? null : await this.#present(caller, fax),
    };
  }

  async unblockSender(caller: Caller, request: { number: string; bringBack: boolean }) {
    const done = await unblockSender(this.#parts, caller, request);
    const { number, wasBlocked, broughtBack, junkFaxes } = done;
    return { number, was_blocked: wasBlocked, brought_back: broughtBack, junk_faxes: junkFaxes };
  }

  /** Returns a fax from Junk, and unblocks its sender where the caller asks for it. */
  async notJunk(caller: Caller, id: string, unblocks: boolean): Promise<InboundAnswer> {
    return this.#present(caller, await takeOutOfJunk(this.#parts, caller, { id, unblocks }));
  }

  /** Undoes the move to Junk from a fax; its sender is unblocked when it was blocked from this fax. */
  async undoJunk(caller: Caller, id: string): Promise<void> {
    await undoJunk(this.#parts, caller, id);
  }

  /** Counts the faxes in Junk that were recorded from one time until before another, ISO 8601 UTC. */
  countJunk(since: string, until: string): Promise<number> {
    return countJunk(this.#parts.db.read, since, until);
  }

  /** Counts the documents that partners delivered directly in a span, ISO 8601 UTC, without a work item. */
  countDirectWithoutItem(span: { readonly since: string; readonly until: string }): Promise<number> {
    return countDirectWithoutItem(this.#parts, span);
  }

  /** Returns those of the faxes that are in Junk. Works inside a transaction. */
  junkAmong(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlySet<string>> {
    return junkAmong(db, faxIds);
  }

  /** Lists the mailboxes that the caller may move the fax to. */
  async moveTargets(caller: Caller, id: string): Promise<{ id: string; label: string }[]> {
    return moveTargets(this.#parts, caller, await this.#find(caller, 'inbound:read', id));
  }

  async move(caller: Caller, id: string, mailbox: string): Promise<InboundAnswer> {
    return this.#present(caller, await moveFax(this.#parts, caller, { id, wanted: mailbox }));
  }

  async applyRules(caller: Caller): Promise<{ moved: number; left: number }> {
    return applyRules(this.#parts, caller);
  }

  async fetchAgain(caller: Caller, id: string): Promise<InboundAnswer> {
    await this.#find(caller, 'providers:write', id);
    return this.#present(caller, await fetchAgain(this.#parts, id, actorOf(caller)));
  }

  async makeTest(caller: Caller, order: TestOrder): Promise<InboundAnswer> {
    return this.#present(caller, await makeTestFax(this.#parts, order, actorOf(caller)));
  }

  /** Receives a test fax for a test key. Throws a 403 refusal for any other caller. */
  async receiveTest(caller: Caller, order: TestOrder): Promise<InboundAnswer> {
    return this.#present(caller, await receiveTestFax(this.#parts, caller, order));
  }

  async #find(caller: Caller, permission: Permission, id: string): Promise<FaxRow> {
    return findFor(this.#parts.db.read, caller, permission, id);
  }

  async #present(caller: Caller, row: FaxRow): Promise<InboundAnswer> {
    const [answer] = await presentAll(this.#parts, caller, [row]);
    if (!answer) throw new Error('a fax was not presented');
    return answer;
  }
}
