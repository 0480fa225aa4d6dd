import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  documentTypeOf,
  isOfficeType,
  type MediaType,
  type OfficeType,
  promisesContent,
} from '../../../shared/document-types.ts';
import type { NewFileKey } from '../../platform/file-cipher.ts';
import { newId } from '../../platform/ids.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { DocumentError } from '../document-error.ts';
import type { DocumentSource } from '../jobs.ts';
import { nameSourceInErrors } from '../name-source.ts';
import type { OfficeConverter } from '../office-port.ts';
import { conversionFailed, officeError } from './office-errors.ts';

/** Conversion of documents of word processors, and the folder for the PDFs that are made. */
export interface OfficeOptions {
  readonly converter: OfficeConverter;
  /** One of the folders of documents, or below one. */
  readonly folder: string;
  /** Returns the key of a new file; null where documents are not sealed. */
  newKey(): NewFileKey | null;
}

interface OfficeParts extends OfficeOptions {
  /** Returns the type of an upload, and writes it to the path where it is a document of a word processor. */
  copy(source: DocumentSource, path: string): Promise<MediaType>;
  /** Checks a PDF page by page and writes it to the path, sealed with the key. */
  check(pdf: string, path: string, key: NewFileKey | null): Promise<unknown>;
}

/** A converted document. Null where the upload is of another type. */
interface Converted {
  readonly path: string;
  readonly key: Uint8Array | undefined;
  readonly type: OfficeType;
}

/** A conversion, with the number of jobs that use it now. */
interface Conversion {
  readonly result: Promise<Converted | null>;
  users: number;
  /** Removes it, when nothing used it for a while. */
  timer: NodeJS.Timeout | null;
}

/** Longer than a preview lives without requests: the pages that a person saw are those that are sent. */
const KEPT_MS = 30 * 60_000;
const MAX_KEPT = 32;
const SNIFFED_BYTES = 64;

/**
 * Has documents of word processors converted before a job works on them. The PDF of an upload is made once and kept for a
 * while, so that its preview, the count of its pages and its fax are the same pages.
 */
export function createOfficeSources(parts: OfficeParts): OfficeSources {
  return new OfficeSources(parts);
}

export type { OfficeSources };

class OfficeSources {
  readonly #parts: OfficeParts;
  /** By the digest of the upload, or by a name of their own. In the order of their last use. */
  readonly #conversions = new Map<string, Conversion>();

  constructor(parts: OfficeParts) {
    this.#parts = parts;
  }

  /** Calls `work` with the sources of which none is a document of a word processor. Throws a DocumentError, or a RefusalError. */
  async use<T>(sources: DocumentSource[], work: (sources: DocumentSource[]) => Promise<T>): Promise<T> {
    if (!sources.some(mayBeOffice)) return await work(sources);
    const used: string[] = [];
    try {
      const ready: DocumentSource[] = [];
      for (const source of sources) {
        const convert = () => this.#ready(source, used);
        ready.push(await (sources.length === 1 ? convert() : nameSourceInErrors(source, convert)));
      }
      return await work(ready);
    } finally {
      for (const name of used) await this.#release(name);
    }
  }

  /** Ends what runs and removes what was made. */
  async close(): Promise<void> {
    await this.#parts.converter.close();
    await Promise.all([...this.#conversions.keys()].map((name) => this.#remove(name)));
  }

  async #ready(source: DocumentSource, used: string[]): Promise<DocumentSource> {
    if (!mayBeOffice(source)) return source;
    // The name is checked against the content as well.
    const name =
      source.digest === undefined ? newId() : `${source.digest} ${source.declaredType} ${source.fileName}`;
    const conversion = this.#conversions.get(name) ?? this.#begin(source);
    // Moves it to the end.
    this.#conversions.delete(name);
    this.#conversions.set(name, conversion);
    conversion.users += 1;
    clearTimeout(conversion.timer ?? undefined);
    used.push(name);
    const converted = await conversion.result;
    if (converted === null) return source;
    const { path, key, type } = converted;
    const { fileName, edits = null } = source;
    return {
      path,
      ...(key && { key }),
      fileName,
      declaredType: 'application/pdf',
      convertedFrom: type,
      edits,
    };
  }

  #begin(source: DocumentSource): Conversion {
    const result = this.#convert(source);
    result.catch(() => undefined);
    return { result, users: 0, timer: null };
  }

  async #convert(source: DocumentSource): Promise<Converted | null> {
    const { converter, folder: parent, newKey, copy, check } = this.#parts;
    const id = newId();
    const folder = join(parent, `office-${id}`);
    const path = join(parent, `office-${id}.pdf`);
    await makeFolder(folder);
    try {
      const file = join(folder, 'document');
      const type = await copy(source, file);
      if (!isOfficeType(type)) return null;
      const inner = join(folder, 'conversion');
      await makeFolder(inner);
      const result = await converter.convert({ path: file, type, folder: inner });
      if ('problem' in result) throw officeError(result.problem, type);
      const key = newKey();
      await check(result.pdf, path, key).catch((error: unknown) => {
        throw error instanceof DocumentError && error.code === 'unsupported' ? conversionFailed() : error;
      });
      return { path, key: key?.key, type };
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  async #release(name: string): Promise<void> {
    const conversion = this.#conversions.get(name);
    if (!conversion) return;
    conversion.users -= 1;
    if (conversion.users > 0) return;
    const converted = await conversion.result.catch(() => null);
    if (conversion.users > 0 || this.#conversions.get(name) !== conversion) return;
    if (converted === null) {
      this.#conversions.delete(name);
      return;
    }
    conversion.timer = setTimeout(() => void this.#remove(name), KEPT_MS).unref();
    await this.#removeOldest();
  }

  async #removeOldest(): Promise<void> {
    const unused = [...this.#conversions].filter(([, { users }]) => users === 0).map(([name]) => name);
    for (const name of unused.slice(0, Math.max(0, this.#conversions.size - MAX_KEPT)))
      await this.#remove(name);
  }

  async #remove(name: string): Promise<void> {
    const conversion = this.#conversions.get(name);
    if (!conversion) return;
    clearTimeout(conversion.timer ?? undefined);
    this.#conversions.delete(name);
    const converted = await conversion.result.catch(() => null);
    if (converted) await rm(converted.path, { force: true });
  }
}

/** False where name or content show that it is of another type. Files are not opened here: the document process decides. */
function mayBeOffice(source: DocumentSource): boolean {
  if (source.convertedFrom !== undefined) return false;
  const named = documentTypeOf(source.fileName);
  if (named !== null && promisesContent(named)) return isOfficeType(named);
  if (!('bytes' in source)) return true;
  const start = Buffer.from(source.bytes.subarray(0, SNIFFED_BYTES)).toString('latin1');
  return /^(PK\x03\x04|(\xef\xbb\xbf)?\s*<)/.test(start);
}
