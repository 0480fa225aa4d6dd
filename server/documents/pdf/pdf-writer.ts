import { deflateSync } from 'node:zlib';
import { documentTooLarge } from '../limits.ts';

/** A page for {@link PdfWriter.addPage}: sizes in points, `resources` and `contents` in PDF syntax. */
interface PageDescription {
  widthPt: number;
  heightPt: number;
  resources: string;
  contents: string;
}

/** A file inside a PDF. Its name is ASCII without parentheses, and its bytes are in the PDF as they are. */
export interface AttachedFile {
  name: string;
  mediaType: string;
  description: string;
  bytes: Uint8Array;
}

/**
 * Writes simple PDF 1.5 files object by object. It stores no times and no random numbers: the same calls give the same
 * bytes. With more than `maxBytes` it throws the refusal of a document that is too large, before all of it is in memory.
 */
export function createPdfWriter(maxBytes = Number.POSITIVE_INFINITY): PdfInMemory {
  return new PdfInMemory(maxBytes);
}

/** The same for a file that is never whole in memory: `write` gets it part by part, and must not change them. */
export function createPdfStream(write: (part: Uint8Array) => void): PdfWriter {
  return new PdfWriter(write);
}

export type { PdfWriter };

class PdfWriter {
  readonly #write: (part: Uint8Array) => void;
  readonly #offsets = new Map<number, number>();
  readonly #pages: number[] = [];
  readonly #pageTree: number;
  readonly #attached: { readonly name: string; readonly id: number }[] = [];
  #length = 0;
  #lastId = 0;

  constructor(write: (part: Uint8Array) => void) {
    this.#write = write;
    this.#append(Buffer.from('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
    this.#pageTree = this.reserve();
  }

  /** A number for an object that is written later. */
  reserve(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Writes an object in PDF syntax and returns its number. */
  object(body: string, id = this.reserve()): number {
    this.#offsets.set(id, this.#length);
    this.#append(Buffer.from(`${id} 0 obj\n${body}\nendobj\n`, 'latin1'));
    return id;
  }

  /** Writes a stream whose `data` is already encoded as `dictionary` says. */
  stream(dictionary: string, data: Uint8Array, id = this.reserve()): number {
    this.#offsets.set(id, this.#length);
    this.#append(Buffer.from(`${id} 0 obj\n<< ${dictionary} /Length ${data.length} >>\nstream\n`, 'latin1'));
    this.#append(data);
    this.#append(Buffer.from('\nendstream\nendobj\n', 'latin1'));
    return id;
  }

  /** Writes a stream and compresses it. */
  deflated(dictionary: string, data: Uint8Array | string, id = this.reserve()): number {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
    return this.stream(`${dictionary} /Filter /FlateDecode`, deflateSync(bytes), id);
  }

  addPage(page: PageDescription): void {
    const contents = this.deflated('', page.contents);
    const box = `[0 0 ${number(page.widthPt)} ${number(page.heightPt)}]`;
    this.#pages.push(
      this.object(
        `<< /Type /Page /Parent ${this.#pageTree} 0 R /MediaBox ${box} /Resources << ${page.resources} >> /Contents ${contents} 0 R >>`,
      ),
    );
  }

  /** Adds a file that readers list as an attachment. */
  attach({ name, mediaType, description, bytes }: AttachedFile): void {
    const type = mediaType.replace('/', '#2F');
    const file = this.stream(
      `/Type /EmbeddedFile /Subtype /${type} /Params << /Size ${bytes.length} >>`,
      bytes,
    );
    const id = this.object(
      `<< /Type /Filespec /F (${name}) /UF (${name}) /Desc (${description}) /AFRelationship /Data /EF << /F ${file} 0 R /UF ${file} 0 R >> >>`,
    );
    this.#attached.push({ name, id });
  }

  get pageCount(): number {
    return this.#pages.length;
  }

  /** Closes the file. `title` is ASCII without parentheses; readers show it above the pages. */
  end({ title }: { readonly title?: string } = {}): void {
    const kids = this.#pages.map((id) => `${id} 0 R`).join(' ');
    this.object(`<< /Type /Pages /Count ${this.#pages.length} /Kids [${kids}] >>`, this.#pageTree);
    const info = title === undefined ? '' : ` /Info ${this.object(`<< /Title (${title}) >>`)} 0 R`;
    const catalog = this.object(
      `<< /Type /Catalog /Pages ${this.#pageTree} 0 R${this.#attachments()}${title === undefined ? '' : TITLED} >>`,
    );
    const start = this.#length;
    const rows = Array.from({ length: this.#lastId }, (_, i) => {
      const offset = this.#offsets.get(i + 1);
      return offset === undefined
        ? '0000000000 65535 f \n'
        : `${String(offset).padStart(10, '0')} 00000 n \n`;
    });
    this.#append(
      Buffer.from(
        `xref\n0 ${this.#lastId + 1}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${this.#lastId + 1} /Root ${catalog} 0 R${info} >>\nstartxref\n${start}\n%%EOF\n`,
        'latin1',
      ),
    );
  }

  /** Returns the entries of the catalog for the attached files, which readers want in the order of their names. */
  #attachments(): string {
    if (this.#attached.length === 0) return '';
    const sorted = [...this.#attached].sort((a, b) => (a.name < b.name ? -1 : 1));
    const names = sorted.map(({ name, id }) => `(${name}) ${id} 0 R`).join(' ');
    const files = sorted.map(({ id }) => `${id} 0 R`).join(' ');
    return ` /Names << /EmbeddedFiles << /Names [${names}] >> >> /AF [${files}]`;
  }

  #append(data: Uint8Array): void {
    this.#length += data.byteLength;
    this.#write(data);
  }
}

class PdfInMemory extends PdfWriter {
  readonly #parts: Uint8Array[];

  constructor(maxBytes: number) {
    const parts: Uint8Array[] = [];
    let length = 0;
    super((part) => {
      parts.push(part);
      length += part.byteLength;
      if (length > maxBytes) throw documentTooLarge(maxBytes);
    });
    this.#parts = parts;
  }

  /** Closes the file as `end` and returns it. */
  finish(options: { readonly title?: string } = {}): Buffer {
    this.end(options);
    return Buffer.concat(this.#parts);
  }
}

/** Readers show the title instead of the name of the file, and read the texts as American English. */
const TITLED = ' /Lang (en-US) /ViewerPreferences << /DisplayDocTitle true >>';

/** A number as PDF writes it: at most four decimals, no exponent. */
export function number(value: number): string {
  return String(Number(value.toFixed(4)));
}
