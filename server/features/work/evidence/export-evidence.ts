import type { WriteTx } from '../../../db/database.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { aboutOf } from '../../../platform/fax-about.ts';
import { newId } from '../../../platform/ids.ts';
import type { Locality } from '../../../platform/local-time.ts';
import { type Caller, mailboxLabels } from '../../access/service.ts';
import type { Signer } from '../../signing/types.ts';
import { notifyOnCommit } from '../change.ts';
import { ItemChangedError } from '../create-item.ts';
import { itemChanged, noSuchItem } from '../errors.ts';
import { withEntries } from '../history.ts';
import { historyProblem } from '../history-problem.ts';
import type { WorkParts } from '../parts.ts';
import { insertEntries, listHistory } from '../store/history-store.ts';
import { findItem, updateItem } from '../store/item-store.ts';
import type { HistoryRow, ItemRow } from '../types.ts';
import { assertMay, mayDo } from '../visibility.ts';
import { acquisitionOf } from './acquisition.ts';
import { type EvidenceArchive, evidenceArchive, type Original } from './archive.ts';
import { type EvidenceFacts, evidenceOf } from './build-manifest.ts';
import { historyText } from './history-text.ts';
import {
  EVIDENCE_FILES,
  EVIDENCE_FORMAT,
  type MissingPart,
  manifestText,
  recoveredName,
} from './manifest.ts';
import {
  missing,
  readOriginal,
  rereadOriginal,
  type StoredOriginal,
  type WantedDocument,
} from './stored-original.ts';

/** Dependencies of exports. */
type ExportParts = Pick<
  WorkParts,
  | 'db'
  | 'seal'
  | 'clock'
  | 'logger'
  | 'signing'
  | 'inbound'
  | 'imports'
  | 'mail'
  | 'prints'
  | 'noteDocumentRead'
  | 'settings'
  | 'events'
>;

export interface ExportRequest {
  readonly caller: Caller;
  /** The caller with what they may do by now. */
  currentCaller(): Promise<Caller>;
  /** The answer has no bytes (HEAD): nothing is recorded. */
  readonly isEmpty: boolean;
}

export interface EvidenceDownload extends Pick<EvidenceArchive, 'sizeBytes'> {
  readonly stream: ReturnType<EvidenceArchive['stream']>;
  readonly fileName: string;
}

/** A document gets another name in the storage only when it is replaced or deleted, which does not happen all the time. */
const TRIES = 5;

/**
 * Makes the evidence archive of an item and records the export in its history. Its documents, the received one and the
 * original that was recovered from it, are read once before anything is recorded, to compare them, and once more while they are sent; the permissions of the caller are checked again
 * in between. Throws 404 for an item the caller may not see, 403 without work:export, and 503 while the signing key or
 * the document cannot be read.
 */
export async function exportEvidence(
  parts: ExportParts,
  request: ExportRequest,
  id: string,
): Promise<EvidenceDownload> {
  let { caller } = request;
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const wanted = await wantedDocuments(parts, caller, id);
    const signer = await parts.signing.signer();
    const stored = await readDocuments(parts, wanted);
    caller = await request.currentCaller();
    const snapshot = await takeSnapshot(parts, { caller, id, isEmpty: request.isEmpty }, { wanted, stored });
    if (snapshot === null) continue;
    const contained = wanted.isAllowed ? stored.filter(isPresent) : [];
    const archive = archiveOf(parts, snapshot, { contained, signer });
    if (!request.isEmpty) await noteRead(parts, caller, snapshot.facts.item.inbound_fax_id, contained);
    return archive;
  }
  throw itemChanged();
}

/** Current documents of an item. */
interface WantedDocuments {
  /** True when the caller may open them. */
  readonly isAllowed: boolean;
  /** The received document, then the original that was recovered from it. */
  readonly documents: readonly WantedDocument[];
}

/** A document as it was read and compared. */
type ReadDocument = { readonly wanted: WantedDocument } & StoredOriginal;
type PresentDocument = Extract<ReadDocument, { readonly original: Original }>;

const isPresent = (document: ReadDocument): document is PresentDocument => 'original' in document;

type Reading = Parameters<typeof findItem>[0];

async function wantedDocuments(parts: ExportParts, caller: Caller, id: string): Promise<WantedDocuments> {
  const { read } = parts.db;
  return wantedIn(parts, read, caller, assertMay(caller, 'work:export', await findItem(read, id)));
}

async function wantedIn(
  { inbound }: ExportParts,
  db: Reading,
  caller: Caller,
  item: ItemRow,
): Promise<WantedDocuments> {
  const isAllowed = mayDo(caller, 'inbound:document', item);
  const name = (await inbound.recorded(db, item.inbound_fax_id))?.fax.document ?? null;
  const documents = [{ part: EVIDENCE_FILES.original, name, sha256: item.sha256 }];
  const recovered = await inbound.recoveredOriginal(db, item.inbound_fax_id);
  if (recovered === null) return { isAllowed, documents };
  const { document, media_type, sha256 } = recovered;
  return {
    isAllowed,
    documents: [...documents, { part: recoveredName(media_type), name: document, sha256 }],
  };
}

const isSame = (one: WantedDocuments, other: WantedDocuments): boolean =>
  one.isAllowed === other.isAllowed &&
  one.documents.length === other.documents.length &&
  one.documents.every(({ name, sha256 }, at) => {
    const same = other.documents[at];
    return name === same?.name && sha256 === same.sha256;
  });

/** Reads and compares the documents for every caller: their state in the manifest is the same for every exporter. */
async function readDocuments(
  { inbound }: ExportParts,
  { documents }: WantedDocuments,
): Promise<ReadDocument[]> {
  const read: ReadDocument[] = [];
  for (const wanted of documents)
    read.push({ wanted, ...(await readOriginal((each) => inbound.openStored(each), wanted)) });
  return read;
}

/** Records the documents in the security audit as downloads. */
async function noteRead(
  { noteDocumentRead }: ExportParts,
  caller: Caller,
  faxId: string,
  documents: readonly PresentDocument[],
): Promise<void> {
  for (const { wanted } of documents) {
    const document = wanted.part === EVIDENCE_FILES.original ? 'received fax' : 'original of a received fax';
    await noteDocumentRead(caller, { use: 'download', document, id: faxId });
  }
}

interface SnapshotRequest {
  readonly caller: Caller;
  readonly id: string;
  readonly isEmpty: boolean;
}

interface ExpectedDocuments {
  readonly wanted: WantedDocuments;
  readonly stored: readonly ReadDocument[];
}

/** Content of the archive: one snapshot of the store, and the export recorded in it. */
interface EvidenceSnapshot {
  readonly facts: EvidenceFacts;
  readonly made: {
    readonly id: string;
    readonly at: string;
    readonly by: { id: string; name: string };
    /** Parts that the caller may not have. */
    readonly missing: MissingPart[];
  };
}

/** Null when the caller would get other documents by now than those that were compared. */
async function takeSnapshot(
  parts: ExportParts,
  request: SnapshotRequest,
  expected: ExpectedDocuments,
): Promise<EvidenceSnapshot | null> {
  const { caller, id } = request;
  const at = isoTime(parts.clock.now());
  const by = { id: caller.principal.id, name: caller.principal.displayName };
  const { stored, wanted } = expected;
  const present = stored.filter(isPresent);
  const withheld = wanted.isAllowed ? [] : present.map((each) => missing(each.wanted.part, 'not_allowed'));
  const made = { id: newId(), at, by, missing: withheld };
  return parts.db.transaction(async (tx) => {
    const item = assertMay(caller, 'work:export', await findItem(tx, id));
    if (!isSame(await wantedIn(parts, tx, caller, item), wanted)) return null;
    const history = await listHistory(tx, id);
    const facts = await factsOf(parts, tx, { item, history, stored });
    if (!request.isEmpty)
      await record(parts, tx, {
        item,
        history,
        made,
        hasOriginal:
          wanted.isAllowed && present.some(({ wanted: { part } }) => part === EVIDENCE_FILES.original),
      });
    return { facts, made };
  });
}

async function factsOf(
  { inbound, imports, mail, prints, seal, logger }: ExportParts,
  tx: WriteTx,
  {
    item,
    history,
    stored,
  }: { item: ItemRow; history: readonly HistoryRow[]; stored: readonly ReadDocument[] },
): Promise<EvidenceFacts> {
  const recorded = await inbound.recorded(tx, item.inbound_fax_id);
  if (!recorded) throw noSuchItem();
  const imported = await imports.find(tx, item.inbound_fax_id);
  const { acquisition, missing: notRecorded } = acquisitionOf(recorded, imported, item);
  const labels = item.mailbox_id === null ? null : await mailboxLabels(tx, [item.mailbox_id]);
  const problem = historyProblem(item, history, seal);
  if (problem !== null) notRecorded.push({ part: 'history', reason: 'altered', text: problem });
  const all = [...stored.flatMap((each) => ('missing' in each ? [each.missing] : [])), ...notRecorded];
  for (const { reason, text } of all)
    if (reason === 'altered' || reason === 'gone')
      logger.error(
        { workItem: item.id, problem: text },
        'the evidence of a work item is not as it was recorded',
      );
  return {
    item,
    history,
    mailboxLabel: labels?.get(item.mailbox_id ?? '') ?? null,
    about: aboutOf(recorded.fax),
    legalHolds: recorded.legalHolds.map(({ name }) => name),
    document: {
      sizeBytes: recorded.fax.size_bytes,
      mediaType: recorded.fax.media_type,
      carriedOriginal: carriedOf(await inbound.recoveredOriginal(tx, item.inbound_fax_id)),
    },
    acquisition: [acquisition],
    deliveries: await mail.deliveriesOf(tx, item.inbound_fax_id),
    printouts: await prints.printoutsOf(tx, item.inbound_fax_id),
    missing: all,
  };
}

/** Returns the facts of a recovered original for the manifest. */
function carriedOf(
  recovered: Awaited<ReturnType<ExportParts['inbound']['recoveredOriginal']>>,
): EvidenceFacts['document']['carriedOriginal'] {
  if (recovered === null) return null;
  const { document: _stored, ...facts } = recovered;
  return { ...facts, file: recoveredName(facts.media_type) };
}

/** The entry of the export. The item stays what it was, with its version. */
async function record(
  parts: ExportParts,
  tx: WriteTx,
  {
    item,
    history,
    made,
    hasOriginal,
  }: Pick<EvidenceFacts, 'item' | 'history'> &
    Pick<EvidenceSnapshot, 'made'> & { readonly hasOriginal: boolean },
): Promise<void> {
  const what = hasOriginal ? 'with the document' : 'without the document';
  const text = `${made.by.name} exported an evidence archive ${what} (export ${made.id}).`;
  const last = history.at(-1);
  const newEntries = [{ kind: 'exported', text, by: made.by }] as const;
  // Also where the altered store has a lower count than entries.
  const ended = { ...item, history_count: Math.max(item.history_count, last?.position ?? 0) };
  const next = withEntries(parts.seal, ended, newEntries, { at: made.at, ownerName: last?.owner ?? null });
  if (!(await updateItem(tx, next.item, item)))
    throw new ItemChangedError(`the work item ${item.id} was changed meanwhile`);
  await insertEntries(tx, next.entries);
  notifyOnCommit(parts, tx, next.item);
}

function archiveOf(
  { inbound, settings }: ExportParts,
  { facts, made }: EvidenceSnapshot,
  { contained, signer }: { contained: readonly PresentDocument[]; signer: Signer },
): EvidenceDownload {
  const evidence = evidenceOf(facts);
  const where = settings.locality();
  const manifest = manifestText({
    ...evidence,
    export: {
      id: made.id,
      created_at: made.at,
      format: EVIDENCE_FORMAT,
      snapshot_version: facts.item.version,
      missing: made.missing,
    },
  });
  const documents = new Map(contained.map(({ wanted, original }) => [wanted.part, original]));
  const archive = evidenceArchive({ manifest, history: historyText(evidence, where), documents }, signer);
  const again = (part: string) => {
    const found = contained.find(({ wanted }) => wanted.part === part);
    if (!found) throw new Error(`the archive has no document ${part}`);
    return rereadOriginal((each) => inbound.openStored(each), found.wanted);
  };
  return {
    sizeBytes: archive.sizeBytes,
    stream: archive.stream(again),
    fileName: archiveName(made.at, where),
  };
}

/** `faxdesk-evidence-2026-11-23-093000.zip`, in the time zone of the installation or in UTC. */
function archiveName(at: string, { timeZone }: Pick<Locality, 'timeZone'>): string {
  // Sweden writes 2026-11-23 09:30:00.
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: timeZone ?? 'UTC',
  });
  const [date = '', time = ''] = format.format(epochOf(at)).split(' ');
  return `faxdesk-evidence-${date}-${time.replaceAll(':', '')}.zip`;
}
