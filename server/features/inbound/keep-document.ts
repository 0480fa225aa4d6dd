import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { DocumentError } from '../../documents/documents.ts';
import type { Recorded } from './changes.ts';
import { type FilingOutcome, fileDocument, noteAnother } from './file-document.ts';
import type { InboundParts } from './parts.ts';
import type { FaxRow, KeptDocument } from './types.ts';

/** What is taken at most. */
export const MOST_DOCUMENT_BYTES = 50 * 1024 * 1024;

/** What the provider handed over is no document that can be kept. */
export class UnreadableDocumentError extends Error {
  override name = 'UnreadableDocumentError';
}

/**
 * Checks the file (every page loads), stores it durably under its own digest and holds it. Throws
 * UnreadableDocumentError, and errors of the disk as they are; then nothing is filed and nothing half-written.
 */
export async function keepDocument(
  parts: InboundParts,
  row: FaxRow,
  path: string,
  recorded: Pick<Recorded, 'text' | 'actor' | 'checkedBy'>,
): Promise<FilingOutcome> {
  const digest = await digestOf(path);
  // Also when the file cannot be read as a PDF: that is another content as well.
  const outcome = await noteAnother(parts, row.id, digest);
  if (outcome !== null) return outcome;
  const { pages } = await inspect(parts, path);
  const document: KeptDocument = {
    name: documentName(row.id, digest.sha256),
    ...digest,
    pages,
    mediaType: 'application/pdf',
  };
  await parts.storage.write(document.name, { path });
  const filed = await fileDocument(parts, row.id, document, recorded);
  if (filed === 'conflict') await parts.storage.remove(document.name);
  return filed;
}

/** `<fax_id>-<first 12 of the SHA-256>.pdf` in the folder of received documents. */
export function documentName(faxId: string, sha256: string): string {
  return `inbound/${faxId}-${sha256.slice(0, 12)}.pdf`;
}

async function inspect(parts: InboundParts, path: string): Promise<{ pages: number }> {
  try {
    return await parts.documents.inspectPdf(path);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new UnreadableDocumentError(error.message, { cause: error });
  }
}

/** Lowercase hex SHA-256 and length of a file. */
export async function digestOf(path: string): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}
