import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { PreviewDocument } from '../../../../shared/api/outbound-shapes.ts';
import type { PageEdits } from '../../../../shared/page-edits.ts';
import type { DocumentWork, PreparedDocument } from '../../../documents/documents.ts';
import { RefusalError } from '../../../platform/errors.ts';
import type { FileToRead, NewFileKey } from '../../../platform/file-cipher.ts';
import { newId } from '../../../platform/ids.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import type { Caller } from '../../access/service.ts';
import { refuseBadDocuments } from '../accept/document-refusal.ts';
import { editFacts, sentDigestOf, withEdits } from '../accept/edited-source.ts';
import { type SignedSources, withSignatures } from '../accept/placed-signatures.ts';
import {
  identityOf,
  ownPages,
  type SentDocument,
  storeCovered,
  type UploadedSource,
} from '../accept/sent-document.ts';
import { noSuchPage } from '../errors.ts';
import { besideDocument } from '../kept-original.ts';
import type { OutboundParts } from '../parts.ts';

/** The files of another preview with changes to their pages. */
interface EditedFiles extends SignedSources {
  readonly files: PreviewFiles;
  readonly edits: PageEdits;
}

type Parts = Pick<OutboundParts, 'storage' | 'documents' | 'settings' | 'workDirectory' | 'desk'>;

/** One upload, kept as long as a preview shows it or a fax is being made of it. */
export function createPreviewFiles(parts: Parts, parentDirectory: string, caller: Caller): PreviewFiles {
  return new PreviewFiles(parts, parentDirectory, { caller, edited: null });
}

export type { PreviewFiles };

class PreviewFiles {
  readonly #parts: Parts;
  /** Charged to the caller who made the preview. */
  readonly work: DocumentWork;
  readonly #parentDirectory: string;
  readonly #directory: string;
  readonly #caller: Caller;
  /** The upload whose pages these files change; null for the upload itself. */
  readonly #edited: EditedFiles | null;
  readonly #abort = new AbortController();
  #users = 1;
  /** The PDFs that are made or being made, by their file's name. */
  readonly #preparing = new Map<string, Promise<PreparedDocument>>();
  readonly #prepared = new Map<string, PreparedDocument>();
  #beginning: Promise<PreparedDocument> | null = null;
  /** Seals the results; null where documents are not sealed. */
  readonly seal: NewFileKey | null;
  #sources: readonly UploadedSource[] = [];
  #documents: readonly z.infer<typeof PreviewDocument>[] = [];

  constructor(
    parts: Parts,
    parentDirectory: string,
    { caller, edited }: { caller: Caller; edited: EditedFiles | null },
  ) {
    this.#parts = parts;
    this.#parentDirectory = parentDirectory;
    this.#caller = caller;
    this.#edited = edited;
    this.work = parts.documents.for(caller.principal.id);
    this.#directory = join(parentDirectory, `files-${newId()}`);
    this.seal = parts.storage.newKey();
  }

  /** Takes over the files and counts their pages. Throws a refusal for a file that is no document. */
  async keep(uploaded: readonly UploadedSource[]): Promise<void> {
    await makeFolder(this.#directory);
    this.#sources = await Promise.all(uploaded.map((source) => this.#takeOver(source)));
    const checks = await refuseBadDocuments(this.work.quickCheck([...this.sources]));
    this.#documents = checks.map(({ mediaType, pages }, i) => ({
      file_name: this.sources[i]?.fileName ?? '',
      pages,
      file_pages: pages,
      media_type: mediaType,
    }));
  }

  /** The files as they were uploaded. */
  get upload(): PreviewFiles {
    return this.#edited?.files ?? this;
  }

  /** Changes to the pages; null for the upload itself. */
  get edits(): PageEdits | null {
    return this.#edited?.edits ?? null;
  }

  /**
   * Returns the same upload with changes to its pages, as one more of its users; the upload itself for null. Throws a 400
   * refusal unless there is one entry for each file, and a 403 refusal for a signature that is not the caller's.
   */
  async edited(edits: PageEdits | null): Promise<PreviewFiles> {
    const { upload } = this;
    const sources = withEdits(upload.sources, edits);
    upload.use();
    if (edits === null || edits.every((file) => file === null)) return upload;
    try {
      const signed = await withSignatures(this.#parts.desk.signatures, this.#caller, sources);
      const files = new PreviewFiles(this.#parts, this.#parentDirectory, {
        caller: this.#caller,
        edited: { files: upload, edits, ...signed },
      });
      await makeFolder(files.#directory);
      return files;
    } catch (error) {
      await upload.release();
      throw error;
    }
  }

  get sources(): readonly UploadedSource[] {
    return this.#edited?.sources ?? this.#sources;
  }

  get documents(): readonly z.infer<typeof PreviewDocument>[] {
    const { edits } = this;
    if (edits === null) return this.#documents;
    return this.upload.documents.map((document, i) => ({
      ...document,
      pages: edits[i]?.length ?? document.pages,
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

  /**
   * Returns all files as one checked PDF, in the form stored with a fax; made once, and again only when the limit was
   * changed. Throws a refusal.
   */
  prepared(cleanGreys: boolean): Promise<PreparedDocument> {
    const name = this.#nameOf(cleanGreys);
    const before = this.#preparing.get(name);
    if (before) return before;
    const preparing = this.#prepare(name, cleanGreys);
    this.#preparing.set(name, preparing);
    return preparing;
  }

  /** SHA-256 of that PDF; null until it is made. */
  digest(cleanGreys: boolean): string | null {
    return this.#prepared.get(this.#nameOf(cleanGreys))?.sha256 ?? null;
  }

  async #storePrepared(artifact: string, cleanGreys: boolean): Promise<PreparedDocument> {
    const prepared = await this.prepared(cleanGreys);
    await this.#parts.storage.copy(artifact, prepared.path);
    return prepared;
  }

  /** The document of a fax, stored from the PDF that is made here. */
  document(caller: Caller, cleanGreys: boolean, callSeconds: number | null): SentDocument {
    return {
      fileNames: this.sources.map(({ fileName }) => fileName),
      digests: this.sources.map(sentDigestOf),
      identity: identityOf(this.sources),
      callSeconds,
      store: async (artifact, cover) => {
        const { sources } = this;
        const sent =
          cover === null
            ? await this.#storePrepared(artifact, cleanGreys)
            : await storeCovered(this.#parts, artifact, {
                sources,
                by: caller.principal.id,
                cleanGreys,
                cover,
              });
        if (this.#edited === null) return sent;
        const original = await this.upload.prepared(false);
        await this.#parts.storage.copy(besideDocument(artifact), original.path);
        const signer = caller.principal.displayName;
        const edits = editFacts(sources, original, { sentPages: ownPages(sent, cover), signer });
        return { ...sent, edits, placed: this.#edited.placed };
      },
    };
  }

  /**
   * A PDF that begins as the whole does, which is there long before several files or a scan are one PDF. Null where the
   * whole is drawn from at once, and once it is made.
   */
  async beginning(): Promise<FileToRead | null> {
    const [first, second] = this.sources;
    const isPdf = this.documents[0]?.media_type === 'application/pdf';
    const isMade = this.#prepared.has(this.#nameOf(false));
    if (!first || isMade || this.#edited !== null || this.pages === 1 || (isPdf && !second)) return null;
    if (isPdf && 'path' in first) return withKey(first.path, first.key);
    this.#beginning ??= this.#prepareBeginning(first);
    return this.#made(await this.#beginning);
  }

  async #prepareBeginning(first: UploadedSource): Promise<PreparedDocument> {
    const path = join(this.#directory, 'beginning.pdf');
    const maxBytes = this.#parts.settings.maxFileBytes();
    const options = { maxBytes, onlyFirst: true, seal: this.seal, signal: this.#abort.signal };
    return this.work.prepare([first], path, options);
  }

  /** A PDF to draw from: a single one at once, because checking 200 pages takes longer than drawing the first. */
  async toDraw(cleanGreys: boolean): Promise<FileToRead> {
    if (this.#edited !== null) return this.#made(await this.prepared(cleanGreys));
    const [only, second] = this.sources;
    const isPdf = this.documents[0]?.media_type === 'application/pdf';
    if (!only || second || !isPdf || !('path' in only)) return this.#made(await this.prepared(false));
    // Its errors reach the code that waits for the whole document.
    this.prepared(false).catch(() => undefined);
    return withKey(only.path, only.key);
  }

  /** The whole as one PDF for its reader, in the form stored with a fax. Throws a refusal. */
  async preparedFile(cleanGreys: boolean): Promise<FileToRead> {
    return this.#made(await this.prepared(cleanGreys));
  }

  /** A PDF that was made here for its reader. */
  #made({ path, isUpload }: PreparedDocument): FileToRead {
    const [only] = this.sources;
    const key = isUpload && only && 'path' in only ? only.key : this.seal?.key;
    return withKey(path, key);
  }

  /** Draws page `number` (from 1) of the upload, without changes, as a gray PNG. Throws a refusal. */
  async unchangedPage(number: number, widthPx: number): Promise<Uint8Array> {
    const { upload } = this;
    if (number > upload.pages) throw noSuchPage({ page: number, pages: upload.pages });
    this.use();
    try {
      const pdf = await upload.toDraw(false);
      const drawing = this.work.pagePictures(pdf, [number], widthPx);
      const [picture] = await refuseBadDocuments(drawing);
      if (!picture) throw noSuchPage({ page: number, pages: upload.pages });
      return picture;
    } finally {
      await this.release();
    }
  }

  use(): void {
    this.#users += 1;
  }

  /** The last user's release removes the files. */
  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#abort.abort();
    await Promise.allSettled([...this.#preparing.values(), this.#beginning]);
    await rm(this.#directory, { recursive: true, force: true });
    await this.#edited?.files.release();
  }

  /** Small files stay in memory. */
  async #takeOver(source: UploadedSource): Promise<UploadedSource> {
    if (!('path' in source)) return source;
    const path = join(this.#directory, newId());
    await rename(source.path, path);
    return { ...source, path };
  }

  #nameOf(cleanGreys: boolean): string {
    return `${cleanGreys ? 'clean' : 'plain'}-${this.#parts.settings.maxFileBytes()}.pdf`;
  }

  async #prepare(name: string, cleanGreys: boolean): Promise<PreparedDocument> {
    const { settings } = this.#parts;
    const path = join(this.#directory, name);
    const { seal } = this;
    const options = { maxBytes: settings.maxFileBytes(), cleanGreys, seal, signal: this.#abort.signal };
    try {
      const prepared = await refuseBadDocuments(this.work.prepare([...this.sources], path, options));
      this.#prepared.set(name, prepared);
      return prepared;
    } catch (error) {
      // A document that cannot be sent stays so; a full disk does not.
      if (!(error instanceof RefusalError)) this.#preparing.delete(name);
      throw error;
    }
  }
}

function withKey(path: string, key: Uint8Array | undefined): FileToRead {
  return key === undefined ? path : { path, key };
}
