import { constants } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { errorCode } from '../../../platform/errors.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { ImportRefusalError } from '../errors.ts';
import { readManifest } from '../manifest.ts';
import type { ImportsParts } from '../parts.ts';
import { findImport } from '../store.ts';
import { type Found, type FoundDocument, type FoundFile, findFiles } from './found-files.ts';
import { DONE, putAway, putManifestAway, REFUSED } from './put-away.ts';
import { createSettledFiles, type SettledFiles } from './settled-files.ts';
import { FOLDER_ACCOUNT, type Taken, takeDocument, textOf } from './take-document.ts';

const EVERY_MS = 10_000;
/** Documents that one look imports at most, so that a stop of the gateway waits for few. */
const MOST_AT_ONCE = 100;
const HOUR_MS = 3_600_000;
/** What another process of the installation found is no news of this one. */
const NEWS_MS = 10 * 60_000;

export interface WatchedFolder extends Schedule {
  /** What somebody should look at, in sentences. */
  warnings(): string[];
}

/** Looks at the import folder every ten seconds while one is set and receiving is on. */
export function createWatchedFolder(parts: ImportsParts): WatchedFolder {
  const watch = new FolderWatch(parts);
  const { db, queue, clock } = parts;
  const repeated = schedule({
    kind: 'imports.folder',
    everyMs: () => (watch.path === null ? 0 : EVERY_MS),
    run: () => watch.look(),
    db,
    queue,
    clock,
  });
  return { ...repeated, warnings: () => watch.warnings() };
}

const AWAY =
  'Nothing is imported from the import folder, because Faxdesk cannot read and write there. Check that the folder is there and who may use it.';
const NOT_NOW =
  'A document in the import folder could not be imported yet. It is tried again automatically; the log has the details.';
const OFF = 'Nothing is imported from the import folder while receiving is off.';

class FolderWatch {
  readonly #parts: ImportsParts;
  readonly #settled: SettledFiles;
  /** Of documents that could not be moved away, what became of them, by name. */
  #notMoved = new Map<string, { readonly state: string; readonly taken: Taken }>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #news: readonly string[] = [];

  constructor(parts: ImportsParts) {
    this.#parts = parts;
    this.#settled = createSettledFiles(parts.clock);
  }

  /** Absolute; null while nothing is watched. */
  get path(): string | null {
    const { settings } = this.#parts;
    const folder = settings.folder();
    return settings.receives() && folder !== null && 'path' in folder ? folder.path : null;
  }

  warnings(): string[] {
    const { settings, clock } = this.#parts;
    if (settings.folder() === null) return [];
    if (!settings.receives()) return [OFF];
    return clock.now() - this.#lookedAt > NEWS_MS ? [] : [...this.#news];
  }

  /** One look: imports what has stopped growing. What cannot be done now is done at a later one. */
  async look(): Promise<void> {
    const folder = this.path;
    // What would be recorded could not be sealed.
    if (folder === null || this.#parts.seal.problem !== null) return;
    this.#news = await this.#lookAt(folder);
    this.#lookedAt = this.#parts.clock.now();
  }

  async #lookAt(folder: string): Promise<string[]> {
    const found = await this.#find(folder);
    if (found === null) return [AWAY];
    this.#settled.look(new Map([...found.documents.map(stateOfDocument), ...filesOf(found)]));
    const wereAll = await this.#takeAll(folder, found.documents);
    await this.#clearManifests(folder, found.loneManifests);
    return [...(wereAll ? [] : [NOT_NOW]), ...this.#leftBehind(found), ...(await refusedIn(folder))];
  }

  /** Null where the folder or one of its two own folders cannot be used. */
  async #find(folder: string): Promise<Found | null> {
    try {
      if (isBelow(this.#parts.dataFolder, folder)) await makeFolder(folder);
      for (const name of [DONE, REFUSED]) await ownFolder(folder, name);
      return await findFiles(folder);
    } catch (error) {
      if (errorCode(error) === '') throw error;
      this.#tell(AWAY, error);
      return null;
    }
  }

  /** Once, until it has passed. What the system says of a file has its name, and so perhaps that of a person. */
  #tell(news: string, error: unknown): void {
    if (this.#news.includes(news)) return;
    const code = errorCode(error);
    this.#parts.logger.warn(code === '' ? { error } : { code }, news);
  }

  /** Whether everything that was ready is imported and moved, or no longer as it was found. */
  async #takeAll(folder: string, documents: readonly FoundDocument[]): Promise<boolean> {
    let wereAll = true;
    const ready = documents.filter(({ pdf }) => pdf.sizeBytes > 0 && this.#settled.isSettled(keyOf(pdf)));
    let done = 0;
    for (const found of ready) {
      if (done === MOST_AT_ONCE) break;
      try {
        await this.#takeOne(folder, found);
        done += 1;
      } catch (error) {
        wereAll = false;
        this.#tell(NOT_NOW, error);
        // The database or the disk of Faxdesk: the next one would fare no better.
        if (!isOfFile(error, found)) break;
      }
    }
    this.#notMoved = new Map(
      [...this.#notMoved].filter(([name]) => documents.some((each) => each.pdf.name === name)),
    );
    return wereAll;
  }

  async #takeOne(folder: string, found: FoundDocument): Promise<void> {
    const [, state] = stateOfDocument(found);
    const before = this.#notMoved.get(found.pdf.name);
    const taken = before?.state === state ? before.taken : await takeDocument(this.#parts, found);
    if (taken === 'changed') return;
    this.#notMoved.set(found.pdf.name, { state, taken });
    const reason = taken === 'done' ? null : taken.refused;
    await putAway({ folder, clock: this.#parts.clock }, found, reason);
    this.#notMoved.delete(found.pdf.name);
    if (reason !== null) this.#parts.logger.warn({}, 'a document in the import folder was refused');
  }

  /** A kill between the moves of a PDF and of its manifest leaves the manifest, whose import is recorded. */
  async #clearManifests(folder: string, manifests: readonly FoundFile[]): Promise<void> {
    for (const manifest of manifests.filter(({ name }) => this.#isOld(name))) {
      if (!(await this.#isImported(manifest))) continue;
      await ofFiles(putManifestAway({ folder, clock: this.#parts.clock }, manifest), null);
    }
  }

  async #isImported(file: FoundFile): Promise<boolean> {
    try {
      const { operationId, revision } = readManifest(this.#parts, await textOf(file));
      const identity = { account: FOLDER_ACCOUNT, operation_id: operationId, revision };
      return (await findImport(this.#parts.db.read, identity)) !== undefined;
    } catch (error) {
      if (error instanceof ImportRefusalError || errorCode(error) !== '') return false;
      throw error;
    }
  }

  #isOld(name: string): boolean {
    return this.#settled.sameForMs(name) >= HOUR_MS;
  }

  #leftBehind({ documents, loneManifests, others }: Found): string[] {
    const empty = documents.map(({ pdf }) => pdf).filter(({ sizeBytes }) => sizeBytes === 0);
    const left = [...loneManifests, ...others, ...empty].filter(({ name }) => this.#isOld(name)).length;
    if (left === 0) return [];
    const files = left === 1 ? '1 file in the import folder is' : `${left} files in the import folder are`;
    return [
      `${files} not imported: it takes PDF files, each with or without a manifest (.json) of the same name.`,
    ];
  }
}

/** A document is more than its PDF; no file has such a name. */
const keyOf = (pdf: FoundFile) => `${pdf.name}/`;

/** The state of a PDF and of what lies beside it: a manifest that comes later is waited for as well. */
function stateOfDocument({ pdf, manifest }: FoundDocument): [string, string] {
  return [keyOf(pdf), `${pdf.state} ${manifest?.state ?? ''}`];
}

const filesOf = ({ documents, loneManifests, others }: Found): [string, string][] =>
  [...documents.map(({ pdf }) => pdf), ...loneManifests, ...others].map(({ name, state }) => [name, state]);

/** Makes it where it is missing. Throws where it is no folder of its own, or nothing can be written there. */
async function ownFolder(folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  await makeFolder(path);
  if (!(await lstat(path)).isDirectory())
    throw Object.assign(new Error(`${name} is a link or a file`), { code: 'ENOTDIR' });
  await access(path, constants.W_OK | constants.X_OK);
}

async function refusedIn(folder: string): Promise<string[]> {
  const names = await ofFiles(readdir(join(folder, REFUSED)), []);
  const count = names.filter((name) => /\.pdf$/iu.test(name)).length;
  if (count === 0) return [];
  const documents = count === 1 ? '1 document was' : `${count} documents were`;
  return [
    `${documents} refused: look into “${REFUSED}” of the import folder, where the reason lies beside each.`,
  ];
}

/** What the system refuses now may be done at the next look. */
async function ofFiles<T>(work: Promise<T>, otherwise: T): Promise<T> {
  return work.catch((error: unknown) => {
    if (errorCode(error) === '') throw error;
    return otherwise;
  });
}

/** Whether the system complained of the document itself. */
function isOfFile(error: unknown, { pdf, manifest }: FoundDocument): boolean {
  const path = error instanceof Error ? (error as { path?: unknown }).path : undefined;
  return path !== undefined && (path === pdf.path || path === manifest?.path);
}

function isBelow(dataFolder: string, folder: string): boolean {
  const way = relative(dataFolder, folder);
  return way !== '' && !/^\.\.(?:[/\\]|$)/u.test(way) && !/^(?:[/\\]|[A-Za-z]:)/u.test(way);
}
