import { DocumentError } from './document-error.ts';
import type { DocumentSource } from './jobs.ts';

/** Of several sources the sentence names the one at fault. */
export async function nameSourceInErrors<T>(source: DocumentSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const name = source.fileName.replace(/[\p{C}"]/gu, '').slice(0, 80);
    throw new DocumentError(error.code, `"${name}": ${error.publicMessage}`, { cause: error.cause });
  }
}
