import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { PreviewDocument } from '../../../../shared/api/outbound-shapes.ts';
import type { DocumentSource } from '../../../documents/documents.ts';
import { newId } from '../../../platform/ids.ts';
import { refusingBadDocuments } from '../accept/document-refusal.ts';
import type { OutboundParts } from '../parts.ts';

/** An uploaded file with the digest of what was sent. */
export type UploadedSource = DocumentSource & { readonly digest: string };

/** One upload, kept as long as a preview shows it or a fax is being made of it. */
export class PreviewFiles {
  readonly #parts: OutboundParts;
  readonly #directory: string;
  readonly #abort = new AbortController();
  #users = 1;
  #prepared: Promise<string> | null = null;
  sources: readonly UploadedSource[] = [];
  documents: readonly z.infer<typeof PreviewDocument>[] = [];

  constructor(parts: OutboundParts, parentDirectory: string) {
    this.#parts = parts;
    this.#directory = join(parentDirectory, `files-${newId()}`);
  }

  /** Takes the files over and looks how many pages they have. Throws a refusal for what is no document. */
  async keep(uploaded: readonly UploadedSource[]): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    this.sources = await Promise.all(uploaded.map((source) => this.#takeOver(source)));
    const glances = await refusingBadDocuments(this.#parts.documents.glance([...this.sources]));
    this.documents = glances.map(({ mediaType, pages }, i) => ({
      file_name: this.sources[i]?.fileName ?? '',
      pages,
      media_type: mediaType,
    }));
  }

  get pages(): number {
    return this.documents.reduce((sum, document) => sum + document.pages, 0);
  }

  /** Index of the file that page `number` (from 1) belongs to. */
  documentOf(number: number): number {
    let last = 0;
    return this.documents.findIndex(({ pages }) => (last += pages) >= number);
  }

  /** The whole as one checked PDF. Throws a refusal. */
  prepared(): Promise<string> {
    this.#prepared ??= this.#prepare();
    return this.#prepared;
  }

  /** A PDF to draw from: a single one at once, because checking 200 pages takes longer than drawing the first. */
  async toDraw(): Promise<string> {
    const [only, second] = this.sources;
    const isPdf = this.documents[0]?.media_type === 'application/pdf';
    if (!only || second || !isPdf || !('path' in only)) return this.prepared();
    // What is wrong with it is told by whoever waits for all of it.
    this.prepared().catch(() => undefined);
    return only.path;
  }

  use(): void {
    this.#users += 1;
  }

  /** The last user's release removes the files. */
  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#abort.abort();
    await this.#prepared?.catch(() => undefined);
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Small files stay in memory. */
  async #takeOver(source: UploadedSource): Promise<UploadedSource> {
    if (!('path' in source)) return source;
    const path = join(this.#directory, newId());
    await rename(source.path, path);
    return { ...source, path };
  }

  async #prepare(): Promise<string> {
    const { documents, settings } = this.#parts;
    const path = join(this.#directory, 'document.pdf');
    const options = { maxBytes: settings.mostFileBytes(), signal: this.#abort.signal };
    await refusingBadDocuments(documents.prepare([...this.sources], path, options));
    return path;
  }
}
