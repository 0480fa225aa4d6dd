import type { WriteTx } from '../../db/database.ts';
import { DocumentError } from '../../documents/documents.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { mailboxFor } from '../access/service.ts';
import type { HandedIn, StoredDocument } from '../inbound/types.ts';
import { conflict, ImportRefusalError, notAllowed, notPdf } from './errors.ts';
import type { ImportsParts } from './parts.ts';
import { countRepeat, findImport, insertImport } from './store.ts';
import type { Importer, ImportFile, ImportIdentity, ImportOutcome, ImportRow, Manifest } from './types.ts';

interface Order {
  readonly manifest: Manifest;
  readonly file: ImportFile;
  readonly importer: Importer;
}

/**
 * The one way in. One identity is one import with one document, however often it comes: the same document again creates
 * nothing, another one is recorded and refused. The PDF is checked before anything is recorded; document, fax, import, and
 * what else happens with every filed document are one transaction. Throws refusals: 400 for what is no readable PDF, 403 where
 * the importer may not file it, 409 for another document.
 */
export async function importDocument(parts: ImportsParts, order: Order): Promise<ImportOutcome> {
  await assertMayFile(parts, order);
  const known = await findImport(parts.db.read, identityOf(order));
  if (known?.sha256 === order.file.sha256) return outcomeOf(await repeat(parts, order));
  const stored = await store(parts, order);
  const made = await begin(parts, order, stored).catch(async (error: unknown) => {
    // Other errors may follow a committed transaction: the upkeep then finds a fax that names the document.
    if (error instanceof ImportRefusalError) await parts.inbound.handIn.drop(stored);
    throw error;
  });
  if (made.isNew) return { importId: made.row.id, inboundId: made.row.inbound_id, status: 'received' };
  await parts.inbound.handIn.drop(stored);
  return outcomeOf(made);
}

interface Made {
  readonly row: ImportRow;
  readonly isNew: boolean;
  readonly isSame: boolean;
}

function outcomeOf({ row, isSame }: Made): ImportOutcome {
  if (!isSame) throw conflict();
  return { importId: row.id, inboundId: row.inbound_id, status: 'duplicate' };
}

const identityOf = ({ manifest, importer }: Order): ImportIdentity => ({
  account: importer.account,
  operation_id: manifest.operationId,
  revision: manifest.revision,
});

/** Before any work, and again in the transaction that files it. */
async function assertMayFile(parts: ImportsParts, { manifest, importer }: Order): Promise<void> {
  if (!importer.mayFileIn(await mailboxFor(parts.db.read, manifest.to))) throw notAllowed();
}

async function store(parts: ImportsParts, { file, importer }: Order): Promise<StoredDocument> {
  const { sha256, sizeBytes } = file;
  try {
    return await parts.inbound.handIn.store(file.content, { sha256, sizeBytes }, importer.account);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw notPdf(error.code === 'unsupported' ? 'It is not a PDF.' : error.publicMessage, error);
  }
}

async function begin(parts: ImportsParts, order: Order, stored: StoredDocument): Promise<Made> {
  return parts.db.transaction(async (tx) => {
    const { manifest, importer, file } = order;
    const row: ImportRow = {
      id: newId(),
      ...identityOf(order),
      source_system: manifest.sourceSystem,
      sha256: file.sha256,
      inbound_id: stored.faxId,
      imported_at: isoTime(parts.clock.now()),
      duplicates: 0,
      conflicts: 0,
      repeated_at: null,
    };
    if (!(await insertImport(tx, row))) return repeatIn(parts, tx, order);
    const mailboxId = await mailboxFor(tx, manifest.to);
    if (!importer.mayFileIn(mailboxId)) throw notAllowed();
    await parts.inbound.handIn.file(tx, stored, handedIn(order, mailboxId));
    return { row, isNew: true, isSame: true };
  });
}

async function repeat(parts: ImportsParts, order: Order): Promise<Made> {
  return parts.db.transaction((tx) => repeatIn(parts, tx, order));
}

/**
 * Handles an import that exists already: counts a duplicate when the document is the same, otherwise a conflict, which
 * the fax records.
 */
async function repeatIn(parts: ImportsParts, tx: WriteTx, order: Order): Promise<Made> {
  const row = await findImport(tx, identityOf(order));
  if (!row) throw new Error(`the import ${order.manifest.operationId} is neither new nor known`);
  const { sha256, sizeBytes } = order.file;
  const isSame = row.sha256 === sha256;
  if (!isSame)
    await parts.inbound.handIn.noteAnother(tx, row.inbound_id, { sha256, sizeBytes }, order.importer.name);
  await countRepeat(tx, row.id, isSame ? 'duplicates' : 'conflicts', isoTime(parts.clock.now()));
  return { row, isNew: false, isSame };
}

function handedIn({ manifest, importer, file }: Order, mailboxId: string | null): HandedIn {
  return {
    accountId: importer.account,
    sourceId: sourceIdOf(manifest),
    sourceSystem: manifest.sourceSystem,
    from: manifest.from,
    to: manifest.to,
    mailboxId,
    sourceReceivedAt: manifest.sourceReceivedAt,
    pages: manifest.pages,
    checkedBy: importer.checkedBy,
    actor: importer.name,
    text: importer.describe(manifest, file.name),
    copy: JSON.stringify({
      manifest: manifest.told,
      file: { name: file.name.slice(0, 200), size_bytes: file.sizeBytes, sha256: file.sha256 },
    }),
  };
}

/** Operation id and revision as one text, a different one for each pair: `A-17`, `A-17#2`. */
function sourceIdOf({ operationId, revision }: Manifest): string {
  const plain = (text: string) => text.replaceAll(/[\\#]/gu, '\\$&');
  return revision === '' ? plain(operationId) : `${plain(operationId)}#${plain(revision)}`;
}
