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
import { EVIDENCE_FORMAT, type MissingPart, manifestText } from './manifest.ts';
import {
  EXPIRED,
  NOT_ALLOWED,
  readOriginal,
  rereadOriginal,
  type StoredOriginal,
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

/** A document is put away under another name only when it is replaced or deleted, which does not happen all the time. */
const TRIES = 5;

/**
 * Makes the evidence archive of an item and records the export in its history. The document is read once before
 * anything is recorded, to compare it, and once more while it is sent; the permissions of the caller are checked again
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
    const wanted = await wantedDocument(parts, caller, id);
    const signer = await parts.signing.signer();
    const stored = await storedOriginal(parts, wanted);
    caller = await request.currentCaller();
    const snapshot = await takeSnapshot(parts, { caller, id, isEmpty: request.isEmpty }, { wanted, stored });
    if (snapshot === null) continue;
    const original = 'original' in stored && wanted.isAllowed ? stored.original : null;
    const archive = archiveOf(parts, snapshot, { stored, original, signer });
    if (original !== null && !request.isEmpty) {
      const faxId = snapshot.facts.item.inbound_fax_id;
      await parts.noteDocumentRead(caller, { use: 'download', document: 'received fax', id: faxId });
    }
    return archive;
  }
  throw itemChanged();
}

/** Current document of an item, with its recorded digest. */
interface WantedDocument {
  /** Null when it is not kept any more. */
  readonly name: string | null;
  /** True when the caller may open the document. */
  readonly isAllowed: boolean;
  readonly sha256: string;
}

type Reading = Parameters<typeof findItem>[0];

async function wantedDocument(parts: ExportParts, caller: Caller, id: string): Promise<WantedDocument> {
  const { read } = parts.db;
  return wantedIn(parts, read, caller, assertMay(caller, 'work:export', await findItem(read, id)));
}

async function wantedIn(
  { inbound }: ExportParts,
  db: Reading,
  caller: Caller,
  item: ItemRow,
): Promise<WantedDocument> {
  const isAllowed = mayDo(caller, 'inbound:document', item);
  const recorded = await inbound.recorded(db, item.inbound_fax_id);
  return { name: recorded?.fax.document ?? null, isAllowed, sha256: item.sha256 };
}

/** Reads and compares the document for every caller: its state in the manifest is the same for every exporter. */
async function storedOriginal(
  { inbound }: ExportParts,
  { name, sha256 }: WantedDocument,
): Promise<StoredOriginal & { readonly name: string | null }> {
  if (name === null) return { missing: EXPIRED, name };
  return { ...(await readOriginal((each) => inbound.openStored(each), name, sha256)), name };
}

interface SnapshotRequest {
  readonly caller: Caller;
  readonly id: string;
  readonly isEmpty: boolean;
}

interface ExpectedDocument {
  readonly wanted: WantedDocument;
  readonly stored: StoredOriginal;
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

/** Null when the caller would get another document by now than the one that was compared. */
async function takeSnapshot(
  parts: ExportParts,
  request: SnapshotRequest,
  expected: ExpectedDocument,
): Promise<EvidenceSnapshot | null> {
  const { caller, id } = request;
  const at = isoTime(parts.clock.now());
  const by = { id: caller.principal.id, name: caller.principal.displayName };
  const { stored, wanted } = expected;
  const missing = 'original' in stored && !wanted.isAllowed ? [NOT_ALLOWED] : [];
  const made = { id: newId(), at, by, missing };
  return parts.db.transaction(async (tx) => {
    const item = assertMay(caller, 'work:export', await findItem(tx, id));
    const { name, isAllowed } = await wantedIn(parts, tx, caller, item);
    if (name !== wanted.name || isAllowed !== wanted.isAllowed) return null;
    const history = await listHistory(tx, id);
    const facts = await factsOf(parts, tx, { item, history, stored });
    if (!request.isEmpty)
      await record(parts, tx, {
        item,
        history,
        made,
        hasOriginal: missing.length === 0 && 'original' in stored,
      });
    return { facts, made };
  });
}

async function factsOf(
  { inbound, imports, mail, seal, logger }: ExportParts,
  tx: WriteTx,
  { item, history, stored }: { item: ItemRow; history: readonly HistoryRow[]; stored: StoredOriginal },
): Promise<EvidenceFacts> {
  const recorded = await inbound.recorded(tx, item.inbound_fax_id);
  if (!recorded) throw noSuchItem();
  const imported = await imports.find(tx, item.inbound_fax_id);
  const { acquisition, missing } = acquisitionOf(recorded, imported, item);
  const labels = item.mailbox_id === null ? null : await mailboxLabels(tx, [item.mailbox_id]);
  const problem = historyProblem(item, history, seal);
  if (problem !== null) missing.push({ part: 'history', reason: 'altered', text: problem });
  const all = [...('missing' in stored ? [stored.missing] : []), ...missing];
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
    document: {
      sizeBytes: recorded.fax.size_bytes,
      mediaType: recorded.fax.media_type,
      carriedOriginal: await inbound.recoveredOriginal(tx, item.inbound_fax_id),
    },
    acquisition: [acquisition],
    deliveries: await mail.deliveriesOf(tx, item.inbound_fax_id),
    missing: all,
  };
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
  {
    stored,
    original,
    signer,
  }: { stored: { readonly name: string | null }; original: Original | null; signer: Signer },
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
  const archive = evidenceArchive({ manifest, history: historyText(evidence, where), original }, signer);
  const again = () =>
    rereadOriginal((each) => inbound.openStored(each), stored.name ?? '', original ?? { sha256: '' });
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
