import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { errorCode } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { type Found, type FoundDocument, type FoundFile, findFiles } from './found-files.ts';
import { moveDocument, moveManifest, type TargetFolder } from './move-files.ts';
import { countDocuments, isWithin, makeDurableFolder, ownFolder } from './own-folder.ts';
import { createSettledFiles, type SettledFiles } from './settled-files.ts';

/** Maximum number of documents per poll, so that a stop of the gateway waits for few. */
const MAX_PER_POLL = 100;
const HOUR_MS = 3_600_000;
/** Age after which warnings expire: another process of the installation may poll the folder now. */
const WARNING_LIFETIME_MS = 10 * 60_000;

/** Outcome for a document, with the note that is stored beside it; `left` while it stays where it is without a problem. */
export type TakeOutcome = { readonly done: string | null } | { readonly refused: string } | 'left';

/** Purpose of a watched folder. */
export interface FolderUse {
  /** Of documents, in lower case with the dot. */
  readonly extensions: readonly string[];
  /** Folders within the watched one. */
  readonly subfolders: { readonly done: string; readonly refused: string };
  readonly sentences: FolderSentences;
  /**
   * Returns a sentence that says why the folder, which can be read and written to, cannot be used now; null when it
   * can.
   */
  mayUse(folder: string): Promise<string | null>;
  /**
   * Takes a document that has not changed for `unchangedMs`. Throws the error of the file system, and any other error that
   * prevents it now; the document then stays where it is and is retried.
   */
  take(found: FoundDocument, unchangedMs: number): Promise<TakeOutcome>;
  /** Time in ms that a manifest may wait for its document before `isTaken` is called for it. */
  readonly manifestsWaitMs: number;
  /** Returns true when the document of a lone manifest was taken before. */
  isTaken(manifest: FoundFile): Promise<boolean>;
}

/** Warnings for a person to check. */
export interface FolderSentences {
  /** The folder cannot be read and written to. */
  readonly unavailable: string;
  /** A document could not be taken yet. */
  readonly deferred: string;
  /** Files of other types are in this folder. */
  unsupported(count: number): string;
  refused(count: number): string;
  /** For the log, of one document. */
  readonly refusedLog: string;
}

interface WatchParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absolute. */
  readonly dataFolder: string;
}

interface FolderWatch {
  /** Takes the documents that have stopped growing. What fails now is retried at a later poll. */
  poll(folder: string): Promise<void>;
  /** Returns the warnings of the last poll, as sentences. */
  warnings(): readonly string[];
}

/** Creates a watch that takes documents from a folder, each once it has stopped growing, and moves them to a subfolder. */
export function createFolderWatch(parts: WatchParts, use: FolderUse): FolderWatch {
  return new WatchedFolder(parts, use);
}

class WatchedFolder implements FolderWatch {
  readonly #parts: WatchParts;
  readonly #use: FolderUse;
  readonly #settled: SettledFiles;
  /** Outcomes of documents that were taken but could not be moved, by file name. */
  #notMoved = new Map<string, { readonly state: string; readonly taken: TakeOutcome }>();
  #polledAt = Number.NEGATIVE_INFINITY;
  #warnings: readonly string[] = [];

  constructor(parts: WatchParts, use: FolderUse) {
    this.#parts = parts;
    this.#use = use;
    this.#settled = createSettledFiles(parts.clock);
  }

  warnings(): readonly string[] {
    return this.#parts.clock.now() - this.#polledAt > WARNING_LIFETIME_MS ? [] : [...this.#warnings];
  }

  async poll(folder: string): Promise<void> {
    this.#warnings = await this.#pollFolder(folder);
    this.#polledAt = this.#parts.clock.now();
  }

  async #pollFolder(folder: string): Promise<string[]> {
    const { sentences } = this.#use;
    const found = await this.#find(folder);
    if (typeof found === 'string') return [found];
    this.#settled.recordStates(new Map([...found.documents.map(stateOfDocument), ...filesOf(found)]));
    const allTaken = await this.#takeAll(folder, found.documents);
    await this.#clearManifests(folder, found.loneManifests);
    const unsupported = this.#countUnsupported(found);
    const refused = await this.#countRefused(folder);
    return [
      ...(allTaken ? [] : [sentences.deferred]),
      ...(unsupported === 0 ? [] : [sentences.unsupported(unsupported)]),
      ...(refused === 0 ? [] : [sentences.refused(refused)]),
    ];
  }

  /** Finds the files; returns a warning instead when the folder or one of its two subfolders cannot be used. */
  async #find(folder: string): Promise<Found | string> {
    const { subfolders, sentences, extensions } = this.#use;
    try {
      if (isWithin(this.#parts.dataFolder, folder)) await makeDurableFolder(folder);
      for (const name of [subfolders.done, subfolders.refused]) await ownFolder(folder, name);
      return (await this.#use.mayUse(folder)) ?? (await findFiles(folder, extensions));
    } catch (error) {
      if (errorCode(error) === '') throw error;
      this.#logOnce(sentences.unavailable, error);
      return sentences.unavailable;
    }
  }

  /** Logs a warning once until it has passed. Errors of the file system are logged by code alone: file names may be those of people. */
  #logOnce(warning: string, error: unknown): void {
    if (this.#warnings.includes(warning)) return;
    const code = errorCode(error);
    this.#parts.logger.warn(code === '' ? { error } : { code }, warning);
  }

  /** Returns true unless an error deferred a document. */
  async #takeAll(folder: string, documents: readonly FoundDocument[]): Promise<boolean> {
    let allTaken = true;
    const ready = documents.filter((each) => each.file.sizeBytes > 0 && this.#settled.isSettled(keyOf(each)));
    let done = 0;
    for (const found of ready) {
      if (done === MAX_PER_POLL) break;
      try {
        if (await this.#takeOne(folder, found)) done += 1;
      } catch (error) {
        allTaken = false;
        this.#logOnce(this.#use.sentences.deferred, error);
        // An error of the database or of the disk of Faxdesk would also stop the next document.
        if (!isDocumentError(error, found)) break;
      }
    }
    const names = new Set(documents.map(({ file }) => file.name));
    this.#notMoved = new Map([...this.#notMoved].filter(([name]) => names.has(name)));
    return allTaken;
  }

  /** Returns true when the document was moved. */
  async #takeOne(folder: string, found: FoundDocument): Promise<boolean> {
    const { subfolders, sentences } = this.#use;
    const [key, state] = stateOfDocument(found);
    const before = this.#notMoved.get(found.file.name);
    const taken =
      before?.state === state ? before.taken : await this.#use.take(found, this.#settled.unchangedMs(key));
    if (taken === 'left') return false;
    this.#notMoved.set(found.file.name, { state, taken });
    const isRefused = 'refused' in taken;
    await moveDocument(
      this.#target(folder, isRefused ? subfolders.refused : subfolders.done),
      found,
      isRefused ? taken.refused : taken.done,
    );
    this.#notMoved.delete(found.file.name);
    if (isRefused) this.#parts.logger.warn({}, sentences.refusedLog);
    return true;
  }

  /** Moves manifests that were left because the process was killed after it moved their documents. */
  async #clearManifests(folder: string, manifests: readonly FoundFile[]): Promise<void> {
    const { subfolders, manifestsWaitMs } = this.#use;
    const target = this.#target(folder, subfolders.done);
    for (const manifest of manifests) {
      if (this.#settled.unchangedMs(manifest.name) < manifestsWaitMs) continue;
      if (await this.#use.isTaken(manifest)) await deferFileErrors(moveManifest(target, manifest), null);
    }
  }

  #target(folder: string, name: string): TargetFolder {
    return { folder: join(folder, name), clock: this.#parts.clock, extensions: this.#use.extensions };
  }

  #isOld(name: string): boolean {
    return this.#settled.unchangedMs(name) >= HOUR_MS;
  }

  #countUnsupported({ documents, loneManifests, others }: Found): number {
    const empty = documents.map(({ file }) => file).filter(({ sizeBytes }) => sizeBytes === 0);
    return [...loneManifests, ...others, ...empty].filter(({ name }) => this.#isOld(name)).length;
  }

  #countRefused(folder: string): Promise<number> {
    const { subfolders, extensions } = this.#use;
    return deferFileErrors(countDocuments(join(folder, subfolders.refused), extensions), 0);
  }
}

/** Returns the key of a document, which includes its manifest; the slash keeps it apart from file names. */
const keyOf = ({ file }: FoundDocument) => `${file.name}/`;

/** Returns the key and state of a document with its manifest, so that a manifest that arrives later also has to settle. */
function stateOfDocument(found: FoundDocument): [string, string] {
  return [keyOf(found), `${found.file.state} ${found.manifest?.state ?? ''}`];
}

const filesOf = ({ documents, loneManifests, others }: Found): [string, string][] =>
  [...documents.map(({ file }) => file), ...loneManifests, ...others].map(({ name, state }) => [name, state]);

/** Ignores errors of the file system, since the next poll retries; returns `otherwise` for them. */
async function deferFileErrors<T>(work: Promise<T>, otherwise: T): Promise<T> {
  return work.catch((error: unknown) => {
    if (errorCode(error) === '') throw error;
    return otherwise;
  });
}

/** Returns true when the error of the file system concerns the document itself. */
function isDocumentError(error: unknown, { file, manifest }: FoundDocument): boolean {
  const path = error instanceof Error ? (error as { path?: unknown }).path : undefined;
  return path !== undefined && (path === file.path || path === manifest?.path);
}
