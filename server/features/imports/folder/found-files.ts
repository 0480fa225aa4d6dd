import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../../platform/errors.ts';

/** A regular file of the import folder. */
export interface FoundFile {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Another text as soon as anything of the file has changed. */
  readonly state: string;
}

/** A PDF with the manifest beside it; null where there is none. */
export interface FoundDocument {
  /** The name of the PDF without its ending. */
  readonly base: string;
  readonly pdf: FoundFile;
  readonly manifest: FoundFile | null;
}

/** What lies in the import folder, by name. */
export interface Found {
  readonly documents: readonly FoundDocument[];
  /** Without a PDF of the same name. */
  readonly loneManifests: readonly FoundFile[];
  /** Neither PDFs nor manifests. */
  readonly others: readonly FoundFile[];
}

/** Of files that are still being copied or belong to an editor or system, and of what is hidden. */
const NOT_FINISHED = /^[.~]|\.(?:part|partial|tmp|crdownload|filepart)$/iu;

/** The regular files of the folder itself: links and folders are none. Throws what the system says of the folder. */
export async function findFiles(folder: string): Promise<Found> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !NOT_FINISHED.test(entry.name));
  const files: FoundFile[] = [];
  for (const { name } of names) {
    const file = await lookAt(folder, name);
    if (file !== null) files.push(file);
  }
  return paired(files.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

/** What of a stat tells that a file is still the same and whole. */
export const stateOf = (found: { size: number; mtimeMs: number; ino: number }): string =>
  `${found.ino} ${found.size} ${found.mtimeMs}`;

async function lookAt(folder: string, name: string): Promise<FoundFile | null> {
  const path = join(folder, name);
  try {
    const found = await lstat(path);
    return found.isFile() ? { name, path, sizeBytes: found.size, state: stateOf(found) } : null;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    // It is gone; or its name is no text, so that no program can open it by that: then it is told as one that stays.
    return name.includes('\uFFFD') ? { name: `${name}?`, path, sizeBytes: 0, state: '' } : null;
  }
}

function paired(files: readonly FoundFile[]): Found {
  const baseOf = ({ name }: FoundFile) => name.slice(0, name.lastIndexOf('.'));
  const ending = (file: FoundFile, text: string) => file.name.toLowerCase().endsWith(text);
  const pdfs = files.filter((file) => ending(file, '.pdf'));
  const manifests = new Map(
    files.filter((file) => ending(file, '.json')).map((file) => [baseOf(file), file] as const),
  );
  const documents = pdfs.map((pdf) => {
    const base = baseOf(pdf);
    return { base, pdf, manifest: manifests.get(base) ?? null };
  });
  const named = new Set(documents.map(({ base }) => base));
  return {
    documents,
    loneManifests: [...manifests].filter(([base]) => !named.has(base)).map(([, file]) => file),
    others: files.filter((file) => !ending(file, '.pdf') && !ending(file, '.json')),
  };
}
