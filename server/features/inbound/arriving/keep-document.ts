import { DocumentError } from '../../../documents/documents.ts';
import { fileDigest } from '../../../platform/hash.ts';
import type { InboundParts } from '../parts.ts';
import type { FilingOutcome, KeptDocument } from '../types.ts';
import {
  type FilingEvidence,
  type FilingParts,
  fileDocument,
  recordAnotherDocument,
} from './file-document.ts';

/** Dependencies of checking, storing and filing a document. */
export type KeepingParts = FilingParts & Pick<InboundParts, 'storage' | 'documents'>;

/** Maximum size of a document. */
export const MAX_DOCUMENT_BYTES = 50 * 1024 * 1024;

/** Thrown when the file handed over is not a readable document. */
export class UnreadableDocumentError extends Error {
  override name = 'UnreadableDocumentError';
}

/**
 * Checks the file (every page loads), stores it durably under its own digest and holds it. Throws
 * UnreadableDocumentError, and errors of the disk as they are; then nothing is filed and nothing half-written.
 */
export async function keepDocument(
  parts: KeepingParts,
  faxId: string,
  path: string,
  recorded: FilingEvidence,
): Promise<FilingOutcome> {
  const digest = await fileDigest(path);
  // Also when the file cannot be read as a PDF: that is another content as well.
  const outcome = await recordAnotherDocument(parts, faxId, digest);
  if (outcome !== null) return outcome;
  const { pages } = await inspect(parts, path);
  const document: KeptDocument = {
    name: documentName(faxId, digest.sha256),
    ...digest,
    pages,
    mediaType: 'application/pdf',
  };
  await parts.storage.write(document.name, { path });
  const filed = await fileDocument(parts, faxId, document, recorded);
  if (filed === 'conflict') await parts.storage.remove(document.name);
  return filed;
}

/** Returns the name in the storage: `inbound/<fax_id>-<first 12 of the SHA-256>.pdf`. */
export function documentName(faxId: string, sha256: string): string {
  return `inbound/${faxId}-${sha256.slice(0, 12)}.pdf`;
}

async function inspect({ documents }: KeepingParts, path: string): Promise<{ pages: number }> {
  try {
    return await documents.inspectPdf(path);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new UnreadableDocumentError(error.message, { cause: error });
  }
}
