import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../errors.ts';

/** A regular file of a watched folder. */
export interface FoundFile {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Another text as soon as anything of the file has changed. */
  readonly state: string;
}

/** A document with the manifest beside it; null where there is none. */
export interface FoundDocument {
  /** The name of the document without its ending. */
  readonly base: string;
  /** In lower case, with its point. */
  readonly extension: string;
  readonly file: FoundFile;
  readonly manifest: FoundFile | null;
  /** True when another document has the same name but for its ending, so that the manifest could belong to either. */
  readonly isTwin: boolean;
}

/** Content of a watched folder, by name. */
export interface Found {
  readonly documents: readonly FoundDocument[];
  /** Without a document of the same name. */
  readonly loneManifests: readonly FoundFile[];
  /** Neither documents nor manifests. */
  readonly others: readonly FoundFile[];
}

export const MANIFEST = '.json';
/** Of files that are still being copied or belong to an editor or system, and of what is hidden. */
const NOT_FINISHED = /^[.~]|\.(?:part|partial|tmp|crdownload|filepart)$/iu;

/**
 * The regular files of the folder itself: links and folders are none. `extensions` are those of documents, in lower case with
 * their point. Throws the errors of the system for the folder.
 */
export async function findFiles(folder: string, extensions: readonly string[]): Promise<Found> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !NOT_FINISHED.test(entry.name));
  const files: FoundFile[] = [];
  for (const { name } of names) {
    const file = await inspectFile(folder, name);
    if (file !== null) files.push(file);
  }
  const byName = files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return pairFiles(byName, new Set(extensions));
}

/** Returns the parts of a stat that identify an unchanged file. */
export const stateOf = (found: { size: number; mtimeMs: number; ino: number }): string =>
  `${found.ino} ${found.size} ${found.mtimeMs}`;

async function inspectFile(folder: string, name: string): Promise<FoundFile | null> {
  const path = join(folder, name);
  try {
    const found = await lstat(path);
    return found.isFile() ? { name, path, sizeBytes: found.size, state: stateOf(found) } : null;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    // Either it is gone, or its name is not valid text, so that no program can open it by that: such a file is reported
    // as one that stays.
    return name.includes('\uFFFD') ? { name: `${name}?`, path, sizeBytes: 0, state: '' } : null;
  }
}

const extensionStart = (name: string) => (name.includes('.') ? name.lastIndexOf('.') : name.length);
const baseOf = ({ name }: FoundFile) => name.slice(0, extensionStart(name));
const extensionOf = ({ name }: FoundFile) => name.slice(extensionStart(name)).toLowerCase();

function pairFiles(files: readonly FoundFile[], extensions: ReadonlySet<string>): Found {
  const isDocument = (file: FoundFile) => extensions.has(extensionOf(file));
  const isManifest = (file: FoundFile) => extensionOf(file) === MANIFEST;
  const manifests = new Map(files.filter(isManifest).map((file) => [baseOf(file), file] as const));
  const documents = files.filter(isDocument);
  const count = new Map<string, number>();
  for (const file of documents) count.set(baseOf(file), (count.get(baseOf(file)) ?? 0) + 1);
  return {
    documents: documents.map((file) => {
      const base = baseOf(file);
      const isTwin = (count.get(base) ?? 0) > 1;
      return { base, extension: extensionOf(file), file, manifest: manifests.get(base) ?? null, isTwin };
    }),
    loneManifests: [...manifests].filter(([base]) => !count.has(base)).map(([, file]) => file),
    others: files.filter((file) => !isDocument(file) && !isManifest(file)),
  };
}
