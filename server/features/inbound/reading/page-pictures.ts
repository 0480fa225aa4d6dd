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

/** Pictures up to this width are drawn several at a time: whoever shows small pictures shows those of all pages. */
const SMALL_PX = 200;
const SMALL_AT_A_TIME = 6;

interface PictureRequest {
  readonly faxId: string;
  /** As it is stored. */
  readonly document: string;
  /** From 1. */
  readonly page: number;
  /** Number of pages of the document. */
  readonly pageCount: number;
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
  /** Name to the drawing that brings it. */
  readonly #drawing = new Map<string, Promise<ReadonlyMap<string, Uint8Array>>>();
  #bytes = 0;
  /** Key of this run alone: the pictures are of no use to the next. */
  readonly #key = createFileSealer(randomBytes(32)).newKey();

  constructor(parts: Pick<InboundParts, 'documents' | 'storage' | 'workDirectory' | 'logger'>) {
    this.#parts = parts;
  }

  /** Returns a PNG. Throws a DocumentError for a page that cannot be drawn. */
  async picture(request: PictureRequest): Promise<Uint8Array> {
    const name = nameOf(request, request.page);
    const known = await this.#read(name);
    if (known) return known;
    // One that could not be drawn beside another is drawn alone, for the reason.
    const drawn = await this.#drawing.get(name)?.catch(() => null);
    return drawn?.get(name) ?? (await this.#draw(request));
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

  /** Draws a picture, and with a small one those of the pages that follow. */
  async #draw(request: PictureRequest): Promise<Uint8Array> {
    const pages = [request.page, ...this.#following(request)];
    const names = pages.map((page) => nameOf(request, page));
    const drawing = this.#drawPages(request, pages);
    for (const name of names) this.#drawing.set(name, drawing);
    try {
      return (await drawing).get(nameOf(request, request.page)) as Uint8Array;
    } finally {
      for (const name of names) this.#drawing.delete(name);
    }
  }

  #following({ page, pageCount, widthPx, ...of }: PictureRequest): number[] {
    const last = widthPx > SMALL_PX ? page : Math.min(pageCount, page + SMALL_AT_A_TIME - 1);
    const pages = Array.from({ length: last - page }, (_, index) => page + 1 + index);
    return pages.filter((each) => {
      const name = nameOf({ ...of, widthPx }, each);
      return !this.#sizes.has(name) && !this.#drawing.has(name);
    });
  }

  /** Returns the pictures by name; the first page is among them, and each of the others that can be drawn. */
  async #drawPages(
    { document, callerId, ...of }: PictureRequest,
    pages: readonly number[],
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const { storage } = this.#parts;
    const documents = this.#parts.documents.for(callerId);
    const drawn = await storage.withFile(document, (file) => documents.pagePictures(file, pages, of.widthPx));
    const pictures = new Map<string, Uint8Array>();
    for (const [index, picture] of drawn.entries())
      if (picture) pictures.set(nameOf(of, pages[index] ?? 0), picture);
    for (const [name, picture] of pictures) await this.#keep(name, picture);
    return pictures;
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

const nameOf = ({ faxId, widthPx }: Pick<PictureRequest, 'faxId' | 'widthPx'>, page: number): string =>
  `${faxId}-${page}-${widthPx}.png`;
