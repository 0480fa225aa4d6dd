import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { type ChangeParts, change, type EvidenceEntry, recordEvidence, SYSTEM } from '../changes.ts';
import { decodeFiled } from '../decoding/decode-queue.ts';
import { fetchKey } from '../fetch-queue.ts';
import { filedFax } from '../filed-fax.ts';
import type { InboundParts } from '../parts.ts';
import { isBlocked } from '../store/blocked-store.ts';
import { knownEvidence } from '../store/evidence-store.ts';
import { findFax } from '../store/fax-store.ts';
import type { DocumentDigest, FaxRow, FilingOutcome, KeptDocument } from '../types.ts';
import { junkEntry } from './junk.ts';
import { missingPages } from './missing-pages.ts';
import { type SourceNames, sourceWords } from './source-name.ts';

/** Dependencies of filing a document. */
export type FilingParts = ChangeParts &
  SourceNames &
  Pick<InboundParts, 'queue' | 'unreadIndex' | 'filedHandlers' | 'settings'>;

/** Text, actor and check of the evidence of a filed document. */
export type FilingEvidence = Pick<EvidenceEntry, 'text' | 'actor' | 'checkedBy'>;

/**
 * Files a document that is stored durably; the only way to file one. One transaction writes the state, the evidence and
 * all that handlers do for every filed document.
 */
export async function fileDocument(
  parts: FilingParts,
  faxId: string,
  document: KeptDocument,
  recorded: FilingEvidence,
): Promise<FilingOutcome> {
  return parts.db.transaction(async (tx) => {
    const row = await findFax(tx, faxId);
    if (!row) throw new Error(`there is no received fax ${faxId}`);
    if (row.status === 'received') return recordLaterDocument(parts, tx, row, document);
    await fileNow(parts, tx, row, document, recorded);
    return 'filed';
  });
}

/** Files a document as `fileDocument` does, for a fax that this transaction created. */
export async function fileNow(
  parts: FilingParts,
  tx: WriteTx,
  row: FaxRow,
  document: KeptDocument,
  recorded: FilingEvidence,
): Promise<FaxRow> {
  const { sha256, sizeBytes } = document;
  const problem = missingPages(parts, row, document.pages);
  const isTest = row.test === 1;
  const isJunk = row.junk === 1 || (!isTest && (await isBlocked(tx, row.from_number)));
  const changes = {
    status: 'received',
    document: document.name,
    sha256,
    size_bytes: sizeBytes,
    pages: document.pages,
    media_type: document.mediaType,
    retry_at: null,
    problem,
    incomplete: problem === null ? 0 : 1,
    junk: isJunk ? 1 : 0,
    // A source clears away what it has after the commit, and is named until then; a provider needs nothing more.
    captured: parts.sources.has(row.backend) ? row.captured : null,
  } as const;
  const text = problem === null ? recorded.text : `${recorded.text} ${problem}`;
  const entry = { kind: 'document', ...recorded, text, sha256, sizeBytes } as const;
  const filed = await change(parts, tx, row, changes, entry);
  if (isJunk && row.junk === 0) await recordEvidence(parts, tx, row.id, junkEntry(row));
  await parts.queue.withdraw(tx, fetchKey(row.id));
  if (!isJunk && !isTest) parts.db.onCommit(tx, () => parts.unreadIndex.add(row));
  await decodeFiled(parts, tx, filed);
  for (const handler of parts.filedHandlers)
    await handler.onFiled(tx, filedFax(filed, document, isoTime(parts.clock.now())));
  return filed;
}

/** Records a document that came later, once for each content. The first document is kept. */
export async function recordLaterDocument(
  parts: ChangeParts & SourceNames,
  tx: WriteTx,
  row: FaxRow,
  { sha256, sizeBytes }: DocumentDigest,
  actor = SYSTEM,
): Promise<FilingOutcome> {
  if (row.sha256 === sha256) return 'again';
  const { isKnown } = await knownEvidence(tx, parts.seal, row.id, {
    kind: 'conflict',
    notification: null,
    sha256,
  });
  if (isKnown) return 'conflict';
  const text = `${sourceWords(parts, row).The} delivered another document for this fax. The first one is kept.`;
  const conflict = { kind: 'conflict', actor, text, sha256, sizeBytes } as const;
  await change(parts, tx, row, { conflicts: row.conflicts + 1 }, conflict);
  return 'conflict';
}

/** Records a document that came for a fax whose document is filed already. */
export async function recordAnotherDocument(
  parts: ChangeParts & SourceNames,
  faxId: string,
  document: DocumentDigest,
): Promise<FilingOutcome | null> {
  return parts.db.transaction(async (tx) => {
    const row = await findFax(tx, faxId);
    return row?.status === 'received' ? recordLaterDocument(parts, tx, row, document) : null;
  });
}
