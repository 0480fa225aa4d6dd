import { replaceNew } from '../platform/durable-file.ts';
import { type NewFileKey, sealedParts } from '../platform/file-cipher.ts';
import { createRecentCache } from '../platform/memoize.ts';
import { declaredKinds } from './declared-kind.ts';
import type { DocumentJobs, DocumentSource, PreparedDocument } from './jobs.ts';

type Task = DocumentJobs['prepare']['task'];

const CACHE_SIZE = 200;
const PDF = 'application/pdf';
const OWNER_FILE = 0o600;

/**
 * PDFs that the process of documents found good and kept byte for byte, by digest: many faxes are the same document for one
 * recipient after another. The same bytes are stored again without being opened, and without a way to that process.
 */
export function createKnownPdfs(): KnownPdfs {
  return new KnownPdfs();
}

export type { KnownPdfs };

/** An upload in memory, of which all that decides about it is known. */
type KnownUpload = { readonly bytes: Uint8Array; readonly digest: string; readonly pages: number };

class KnownPdfs {
  readonly #pages = createRecentCache<{ pages: number }>(CACHE_SIZE);

  /** Keeps the result of a job for the next one with the same document. */
  remember(task: Task, { sha256, pages, sourceMediaType }: PreparedDocument): void {
    const digest = wholeUploadOf(task)?.digest;
    if (digest !== undefined && digest === sha256 && sourceMediaType === PDF)
      this.#pages.set(digest, { pages });
  }

  forgetAll(): void {
    this.#pages.clear();
  }

  /** Writes a known PDF as a job would. Null when the document is not known, or would be refused for what else it says. */
  async store(task: Task): Promise<PreparedDocument | null> {
    const upload = this.#find(task);
    if (upload === null) return null;
    const { outputPath: path, durable, seal } = task;
    await replaceNew(path, partsOf(upload.bytes, seal), { mode: OWNER_FILE, durable });
    return {
      path,
      isUpload: false,
      sha256: upload.digest,
      sizeBytes: upload.bytes.length,
      pages: upload.pages,
      mediaType: PDF,
      sourceMediaType: PDF,
    };
  }

  #find(task: Task): KnownUpload | null {
    const source = wholeUploadOf(task);
    if (source?.digest === undefined || !('bytes' in source)) return null;
    const known = this.#pages.get(source.digest);
    const isAsDeclared = declaredKinds(source).every(({ kind }) => kind === PDF);
    if (known === undefined || !isAsDeclared || source.bytes.length > task.maxBytes) return null;
    return { bytes: source.bytes, digest: source.digest, pages: known.pages };
  }
}

/** The only upload of a job that leaves it as it is; null for others. */
function wholeUploadOf({ sources, cleanGreys, fromPage }: Task): DocumentSource | null {
  const [only, second] = sources;
  return only === undefined || second !== undefined || cleanGreys || fromPage > 1 ? null : only;
}

const partsOf = (bytes: Uint8Array, seal: NewFileKey | null): Uint8Array[] =>
  seal === null ? [bytes] : sealedParts(seal, bytes);
