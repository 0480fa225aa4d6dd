import { DIRECT_BACKEND } from '../../../../shared/backends.ts';
import type { WriteTx } from '../../../db/database.ts';
import type { DocumentContent } from '../../../documents/documents.ts';
import { newId } from '../../../platform/ids.ts';
import { recordEvidence } from '../changes.ts';
import { findFax, insertFax } from '../store/fax-store.ts';
import { isRemoved } from '../store/removal-store.ts';
import type { DocumentDigest, FaxRow, HandInFax, StoredDocument } from '../types.ts';
import { fileNow, recordLaterDocument } from './file-document.ts';
import { documentName, type KeepingParts } from './keep-document.ts';
import { rowWithDocument } from './new-fax.ts';

/** Files whole documents for a higher room, with their facts: nothing is waited for or fetched. */
export interface HandIn {
  /**
   * Loads every page of the PDF on behalf of `account`, and stores it durably for a new fax. A file given by its path
   * may be gone afterwards. Throws DocumentError, and errors of the disk as they are; then nothing is stored.
   */
  store(content: DocumentContent, digest: DocumentDigest, account: string): Promise<StoredDocument>;
  /** Makes the fax and files its document, in the transaction that establishes that it is new. */
  file(tx: WriteTx, stored: StoredDocument, given: HandInFax): Promise<void>;
  /** Removes a stored document that was not filed. */
  drop(stored: StoredDocument): Promise<void>;
  /** Records another document for a fax that has one, once for each content. Nothing for a fax that was removed with an archive. */
  recordAnotherDocument(tx: WriteTx, faxId: string, digest: DocumentDigest, actor: string): Promise<void>;
}

export function createHandIn(parts: KeepingParts): HandIn {
  return {
    async store(content, digest, account) {
      const { pages } = await parts.documents.for(account).inspectPdf(content);
      const faxId = newId();
      const name = documentName(faxId, digest.sha256);
      await write(parts, name, content);
      return { faxId, document: { name, ...digest, pages, mediaType: 'application/pdf' } };
    },
    file: (tx, stored, given) => file(parts, tx, stored, given),
    drop: ({ document }) => parts.storage.remove(document.name),
    async recordAnotherDocument(tx, faxId, digest, actor) {
      const row = await findFax(tx, faxId);
      if (!row && (await isRemoved(tx, faxId))) return;
      if (!row) throw new Error(`there is no received fax ${faxId}`);
      await recordLaterDocument(parts, tx, row, digest, actor);
    },
  };
}

/** Writes the document to the storage. A file that was sealed on its way in is copied as it is. */
async function write({ storage }: KeepingParts, name: string, content: DocumentContent): Promise<void> {
  if ('bytes' in content) await storage.write(name, content.bytes);
  else if (content.key === undefined) await storage.write(name, { path: content.path });
  else await storage.copy(name, content.path);
}

async function file(
  parts: KeepingParts,
  tx: WriteTx,
  { faxId, document }: StoredDocument,
  given: HandInFax,
): Promise<void> {
  const row = rowOf(parts, faxId, given);
  if (!(await insertFax(tx, row))) throw new Error(`the fax ${given.sourceId} is known already`);
  const { by, actor, checkedBy, text, copy } = given;
  const kind = by === DIRECT_BACKEND ? 'direct' : 'imported';
  await recordEvidence(parts, tx, faxId, { kind, checkedBy, actor, text, notification: copy });
  const stored = (await findFax(tx, faxId)) ?? row;
  const counted = `The document was checked and stored.${countDifference(given, document.pages)}`;
  await fileNow(parts, tx, stored, document, { text: counted, actor, checkedBy });
}

/**
 * Returns a sentence when the document has more pages than the other system counts. Fewer pages are reported as missing
 * pages.
 */
function countDifference({ pages, sourceSystem }: HandInFax, found: number): string {
  if (pages === null || pages >= found) return '';
  return ` It has ${pagesOf(found)}; ${sourceSystem} reported ${pagesOf(pages)}.`;
}

const pagesOf = (count: number) => (count === 1 ? '1 page' : `${count} pages`);

function rowOf({ clock }: KeepingParts, id: string, given: HandInFax): FaxRow {
  return rowWithDocument(clock, {
    id,
    backend: given.by,
    provider_account: `${given.by}:${given.accountId}`,
    provider_fax_id: given.sourceId,
    source_system: given.sourceSystem,
    from_number: given.from,
    to_number: given.to,
    mailbox_id: given.mailboxId,
    reported_pages: given.pages,
    source_received_at: given.sourceReceivedAt,
  });
}
