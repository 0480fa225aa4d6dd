import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AlteredFileError, errorCode } from '../../../platform/errors.ts';
import { openBytes, sealBytes } from '../../../platform/file-cipher.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { createFileSealer } from '../../../platform/sealed-file.ts';
import type { InboundParts } from '../parts.ts';

/** Maximum size of the cache; beyond it the least recently used pictures are removed. */
const MAX_BYTES = 256 * 1024 * 1024;

interface PictureRequest {
  readonly faxId: string;
  /** As it is stored. */
  readonly document: string;
  /** From 1. */
  readonly page: number;
  readonly widthPx: number;
  /** Caller of the request: callers take turns. */
  readonly callerId: string;
}

/** Cache on disk of the page pictures drawn since the start. Concurrent requests for the same picture draw it once. */
export function createPagePictures(
  parts: Pick<InboundParts, 'documents' | 'storage' | 'workDirectory' | 'logger'>,
): PagePictures {
  return new PagePictures(parts);
}

export type { PagePictures };

class PagePictures {
  readonly #parts: Pick<InboundParts, 'documents' | 'storage' | 'workDirectory' | 'logger'>;
  /** Name to size, the most recently used one last. */
  readonly #sizes = new Map<string, number>();
  readonly #drawing = new Map<string, Promise<Uint8Array>>();
  #bytes = 0;
  /** Key of this run alone: the pictures are of no use to the next. */
  readonly #key = createFileSealer(randomBytes(32)).newKey();

  constructor(parts: Pick<InboundParts, 'documents' | 'storage' | 'workDirectory' | 'logger'>) {
    this.#parts = parts;
  }

  /** Returns a PNG. Throws a DocumentError for a page that cannot be drawn. */
  async picture(request: PictureRequest): Promise<Uint8Array> {
    const name = `${request.faxId}-${request.page}-${request.widthPx}.png`;
    const known = await this.#read(name);
    if (known) return known;
    const drawing = this.#drawing.get(name) ?? this.#draw(name, request);
    this.#drawing.set(name, drawing);
    try {
      return await drawing;
    } finally {
      this.#drawing.delete(name);
    }
  }

  get #folder(): string {
    return join(this.#parts.workDirectory, 'pages');
  }

  async #read(name: string): Promise<Uint8Array | null> {
    const size = this.#sizes.get(name);
    if (size === undefined) return null;
    try {
      const picture = openBytes(this.#key.key, await readFile(join(this.#folder, name)));
      if (this.#sizes.delete(name)) this.#sizes.set(name, size);
      return picture;
    } catch (error) {
      // A picture that is not here, or not what was drawn, is drawn again.
      if (errorCode(error) !== 'ENOENT' && !(error instanceof AlteredFileError)) throw error;
      if (this.#sizes.delete(name)) this.#bytes -= size;
      return null;
    }
  }

  async #draw(name: string, { document, page, widthPx, callerId }: PictureRequest): Promise<Uint8Array> {
    const { storage } = this.#parts;
    const documents = this.#parts.documents.for(callerId);
    const picture = await storage.withFile(document, (file) => documents.pagePicture(file, page, widthPx));
    await this.#keep(name, picture);
    return picture;
  }

  /** Stores a picture in the cache. Without room on the disk every request draws it again. */
  async #keep(name: string, picture: Uint8Array): Promise<void> {
    try {
      await makeFolder(this.#folder);
      await writeFile(join(this.#folder, name), sealBytes(this.#key, picture), { mode: 0o600 });
    } catch (error) {
      this.#parts.logger.warn({ error }, 'the picture of a page could not be kept');
      await rm(join(this.#folder, name), { force: true });
      return;
    }
    this.#sizes.set(name, picture.length);
    this.#bytes += picture.length;
    for (const [oldest, size] of this.#sizes) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#sizes.delete(oldest);
      this.#bytes -= size;
      await rm(join(this.#folder, oldest), { force: true });
    }
  }
}
