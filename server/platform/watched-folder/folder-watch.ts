import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { errorCode } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { type Found, type FoundDocument, type FoundFile, findFiles } from './found-files.ts';
import { moveDocument, moveManifest, type Place } from './move-files.ts';
import { countDocuments, isWithin, makeDurableFolder, ownFolder } from './own-folder.ts';
import { createSettledFiles, type SettledFiles } from './settled-files.ts';

/** Documents that one look takes at most, so that a stop of the gateway waits for few. */
const MAX_PER_POLL = 100;
const HOUR_MS = 3_600_000;
/** Age after which warnings expire: another process of the installation may be the one that looks now. */
const WARNING_LIFETIME_MS = 10 * 60_000;

/**
 * Outcome for a document, each with a note to lie beside it; `left` while it stays where it is, which is no problem.
 */
export type TakeOutcome = { readonly done: string | null } | { readonly refused: string } | 'left';

/** Purpose of a watched folder. */
export interface FolderUse {
  /** Of documents, in lower case with their point. */
  readonly extensions: readonly string[];
  /** Folders within the watched one. */
  readonly places: { readonly done: string; readonly refused: string };
  readonly sentences: FolderSentences;
  /**
   * Returns a sentence that says why the folder, which can be read and written to, cannot be used now; null when it
   * can.
   */
  mayUse(folder: string): Promise<string | null>;
  /**
   * Takes a document that has not changed for `sameForMs`. Throws what the system says of the file, and what else keeps it
   * from being taken now; then everything stays as it is and is tried again.
   */
  take(found: FoundDocument, sameForMs: number): Promise<TakeOutcome>;
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
  /** Files are not for this folder. */
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
  /** One look: takes what has stopped growing. What cannot be done now is done at a later one. */
  poll(folder: string): Promise<void>;
  /** Returns the warnings of the last look, as sentences. */
  warnings(): readonly string[];
}

/** Takes documents that are left in a folder, each once it has stopped growing, and moves them away. */
export function createFolderWatch(parts: WatchParts, use: FolderUse): FolderWatch {
  return new WatchedFolder(parts, use);
}

class WatchedFolder implements FolderWatch {
  readonly #parts: WatchParts;
  readonly #use: FolderUse;
  readonly #settled: SettledFiles;
  /** Outcomes of documents that could not be moved away, by name. */
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
    const wereAll = await this.#takeAll(folder, found.documents);
    await this.#clearManifests(folder, found.loneManifests);
    const unsupported = this.#countUnsupported(found);
    const refused = await this.#countRefused(folder);
    return [
      ...(wereAll ? [] : [sentences.deferred]),
      ...(unsupported === 0 ? [] : [sentences.unsupported(unsupported)]),
      ...(refused === 0 ? [] : [sentences.refused(refused)]),
    ];
  }

  /** A sentence where the folder or one of its two own folders cannot be used. */
  async #find(folder: string): Promise<Found | string> {
    const { places, sentences, extensions } = this.#use;
    try {
      if (isWithin(this.#parts.dataFolder, folder)) await makeDurableFolder(folder);
      for (const name of [places.done, places.refused]) await ownFolder(folder, name);
      return (await this.#use.mayUse(folder)) ?? (await findFiles(folder, extensions));
    } catch (error) {
      if (errorCode(error) === '') throw error;
      this.#logOnce(sentences.unavailable, error);
      return sentences.unavailable;
    }
  }

  /** Once, until it has passed. What the system says of a file has its name, and so perhaps that of a person. */
  #logOnce(warning: string, error: unknown): void {
    if (this.#warnings.includes(warning)) return;
    const code = errorCode(error);
    this.#parts.logger.warn(code === '' ? { error } : { code }, warning);
  }

  /** Returns true when every ready document was taken and moved, or is no longer as it was found. */
  async #takeAll(folder: string, documents: readonly FoundDocument[]): Promise<boolean> {
    let wereAll = true;
    const ready = documents.filter((each) => each.file.sizeBytes > 0 && this.#settled.isSettled(keyOf(each)));
    let done = 0;
    for (const found of ready) {
      if (done === MAX_PER_POLL) break;
      try {
        if (await this.#takeOne(folder, found)) done += 1;
      } catch (error) {
        wereAll = false;
        this.#logOnce(this.#use.sentences.deferred, error);
        // The database or the disk of Faxdesk: the next one would fare no better.
        if (!isDocumentError(error, found)) break;
      }
    }
    const names = new Set(documents.map(({ file }) => file.name));
    this.#notMoved = new Map([...this.#notMoved].filter(([name]) => names.has(name)));
    return wereAll;
  }

  /** Returns true when it was moved away. */
  async #takeOne(folder: string, found: FoundDocument): Promise<boolean> {
    const { places, sentences } = this.#use;
    const [key, state] = stateOfDocument(found);
    const before = this.#notMoved.get(found.file.name);
    const taken =
      before?.state === state ? before.taken : await this.#use.take(found, this.#settled.sameForMs(key));
    if (taken === 'left') return false;
    this.#notMoved.set(found.file.name, { state, taken });
    const isRefused = 'refused' in taken;
    await moveDocument(
      this.#place(folder, isRefused ? places.refused : places.done),
      found,
      isRefused ? taken.refused : taken.done,
    );
    this.#notMoved.delete(found.file.name);
    if (isRefused) this.#parts.logger.warn({}, sentences.refusedLog);
    return true;
  }

  /** A kill between the moves of a document and of its manifest leaves the manifest. */
  async #clearManifests(folder: string, manifests: readonly FoundFile[]): Promise<void> {
    const { places, manifestsWaitMs } = this.#use;
    const place = this.#place(folder, places.done);
    for (const manifest of manifests) {
      if (this.#settled.sameForMs(manifest.name) < manifestsWaitMs) continue;
      if (await this.#use.isTaken(manifest)) await deferFileErrors(moveManifest(place, manifest), null);
    }
  }

  #place(folder: string, name: string): Place {
    return { folder: join(folder, name), clock: this.#parts.clock, extensions: this.#use.extensions };
  }

  #isOld(name: string): boolean {
    return this.#settled.sameForMs(name) >= HOUR_MS;
  }

  #countUnsupported({ documents, loneManifests, others }: Found): number {
    const empty = documents.map(({ file }) => file).filter(({ sizeBytes }) => sizeBytes === 0);
    return [...loneManifests, ...others, ...empty].filter(({ name }) => this.#isOld(name)).length;
  }

  #countRefused(folder: string): Promise<number> {
    const { places, extensions } = this.#use;
    return deferFileErrors(countDocuments(join(folder, places.refused), extensions), 0);
  }
}

/** A document is more than its file; no file has such a name. */
const keyOf = ({ file }: FoundDocument) => `${file.name}/`;

/** The state of a document and of what lies beside it: a manifest that comes later is waited for as well. */
function stateOfDocument(found: FoundDocument): [string, string] {
  return [keyOf(found), `${found.file.state} ${found.manifest?.state ?? ''}`];
}

const filesOf = ({ documents, loneManifests, others }: Found): [string, string][] =>
  [...documents.map(({ file }) => file), ...loneManifests, ...others].map(({ name, state }) => [name, state]);

/** Defers work that the system refuses now to the next look. */
async function deferFileErrors<T>(work: Promise<T>, otherwise: T): Promise<T> {
  return work.catch((error: unknown) => {
    if (errorCode(error) === '') throw error;
    return otherwise;
  });
}

/** Returns true when the system's error is about the document itself. */
function isDocumentError(error: unknown, { file, manifest }: FoundDocument): boolean {
  const path = error instanceof Error ? (error as { path?: unknown }).path : undefined;
  return path !== undefined && (path === file.path || path === manifest?.path);
}
