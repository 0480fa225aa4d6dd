import { IMPORT_BACKEND } from '../../../shared/backends.ts';
import type { WriteTx } from '../../db/database.ts';
import { DocumentError } from '../../documents/documents.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { mailboxFor } from '../access/service.ts';
import type { HandInFax, StoredDocument } from '../inbound/types.ts';
import { conflict, ImportRefusalError, notAllowed, notPdf } from './errors.ts';
import type { ImportsParts } from './parts.ts';
import { countRepeat, findImport, insertImport } from './store.ts';
import type { Importer, ImportFile, ImportIdentity, ImportOutcome, ImportRow, Manifest } from './types.ts';

interface ImportRequest {
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
export async function importDocument(parts: ImportsParts, request: ImportRequest): Promise<ImportOutcome> {
  await assertMayFile(parts, request);
  const known = await findImport(parts.db.read, identityOf(request));
  if (known?.sha256 === request.file.sha256) return outcomeOf(await repeat(parts, request));
  const stored = await store(parts, request);
  const result = await begin(parts, request, stored).catch(async (error: unknown) => {
    // Other errors may follow a committed transaction: the upkeep then finds a fax that names the document.
    if (error instanceof ImportRefusalError) await parts.inbound.handIn.drop(stored);
    throw error;
  });
  if (result.isNew) return { importId: result.row.id, inboundId: result.row.inbound_id, status: 'received' };
  await parts.inbound.handIn.drop(stored);
  return outcomeOf(result);
}

interface ImportResult {
  readonly row: ImportRow;
  readonly isNew: boolean;
  readonly isSame: boolean;
}

function outcomeOf({ row, isSame }: ImportResult): ImportOutcome {
  if (!isSame) throw conflict();
  return { importId: row.id, inboundId: row.inbound_id, status: 'duplicate' };
}

const identityOf = ({ manifest, importer }: ImportRequest): ImportIdentity => ({
  account: importer.account,
  operation_id: manifest.operationId,
  revision: manifest.revision,
});

/** Before any work, and again in the transaction that files it. */
async function assertMayFile(parts: ImportsParts, { manifest, importer }: ImportRequest): Promise<void> {
  if (!importer.mayFileIn(await mailboxFor(parts.db.read, manifest.to))) throw notAllowed();
}

async function store(parts: ImportsParts, { file, importer }: ImportRequest): Promise<StoredDocument> {
  const { sha256, sizeBytes } = file;
  try {
    return await parts.inbound.handIn.store(file.content, { sha256, sizeBytes }, importer.account);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw notPdf(error.code === 'unsupported' ? 'It is not a PDF.' : error.publicMessage, error);
  }
}

async function begin(
  parts: ImportsParts,
  request: ImportRequest,
  stored: StoredDocument,
): Promise<ImportResult> {
  return parts.db.transaction(async (tx) => {
    const { manifest, importer, file } = request;
    const row: ImportRow = {
      id: newId(),
      ...identityOf(request),
      source_system: manifest.sourceSystem,
      sha256: file.sha256,
      inbound_id: stored.faxId,
      imported_at: isoTime(parts.clock.now()),
      duplicates: 0,
      conflicts: 0,
      repeated_at: null,
    };
    if (!(await insertImport(tx, row))) return repeatIn(parts, tx, request);
    const mailboxId = await mailboxFor(tx, manifest.to);
    if (!importer.mayFileIn(mailboxId)) throw notAllowed();
    await parts.inbound.handIn.file(tx, stored, handInFax(request, mailboxId));
    return { row, isNew: true, isSame: true };
  });
}

async function repeat(parts: ImportsParts, request: ImportRequest): Promise<ImportResult> {
  return parts.db.transaction((tx) => repeatIn(parts, tx, request));
}

/**
 * Handles an import that exists already: counts a duplicate when the document is the same, otherwise a conflict, which
 * the fax records.
 */
async function repeatIn(parts: ImportsParts, tx: WriteTx, request: ImportRequest): Promise<ImportResult> {
  const row = await findImport(tx, identityOf(request));
  if (!row) throw new Error(`the import ${request.manifest.operationId} is neither new nor known`);
  const { sha256, sizeBytes } = request.file;
  const isSame = row.sha256 === sha256;
  if (!isSame)
    await parts.inbound.handIn.recordAnotherDocument(
      tx,
      row.inbound_id,
      { sha256, sizeBytes },
      request.importer.name,
    );
  await countRepeat(tx, row.id, isSame ? 'duplicates' : 'conflicts', isoTime(parts.clock.now()));
  return { row, isNew: false, isSame };
}

function handInFax({ manifest, importer, file }: ImportRequest, mailboxId: string | null): HandInFax {
  return {
    by: IMPORT_BACKEND,
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
      manifest: manifest.fields,
      file: { name: file.name.slice(0, 200), size_bytes: file.sizeBytes, sha256: file.sha256 },
    }),
  };
}

/** Operation id and revision as one text, a different one for each pair: `A-17`, `A-17#2`. */
function sourceIdOf({ operationId, revision }: Manifest): string {
  const plain = (text: string) => text.replaceAll(/[\\#]/gu, '\\$&');
  return revision === '' ? plain(operationId) : `${plain(operationId)}#${plain(revision)}`;
}
