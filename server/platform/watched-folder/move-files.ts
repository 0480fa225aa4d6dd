import { lstat, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, isoTime } from '../clock.ts';
import { errorCode } from '../errors.ts';
import { type FoundDocument, MANIFEST } from './found-files.ts';

/** Folder within the watched one that receives documents. */
export interface TargetFolder {
  /** Absolute. */
  readonly folder: string;
  readonly clock: Clock;
  /** Of documents, in lower case with the dot. */
  readonly extensions: readonly string[];
}

/**
 * Moves a document and its manifest to a target, with a note in a text file beside it unless that is null. Never
 * overwrites. The document is moved first: while it is in the watched folder its manifest is there too, so that a
 * document that was taken but not moved is recognized. A twin leaves the manifest where it is.
 */
export async function moveDocument(
  target: TargetFolder,
  found: FoundDocument,
  note: string | null,
): Promise<void> {
  const { base, extension, file, manifest, isTwin } = found;
  const free = join(target.folder, await freeName(target, base));
  if (note !== null) await writeFile(`${free}.txt`, `${note}\n`);
  await rename(file.path, `${free}${extension}`);
  if (manifest && !isTwin) await rename(manifest.path, `${free}${MANIFEST}`);
}

/** Moves a manifest whose document was moved before. */
export async function moveManifest(
  target: TargetFolder,
  manifest: { readonly name: string; readonly path: string },
): Promise<void> {
  const base = manifest.name.slice(0, -MANIFEST.length);
  const isFree = !(await exists(join(target.folder, `${base}${MANIFEST}`)));
  const name = isFree ? base : await freeName(target, base);
  await rename(manifest.path, join(target.folder, `${name}${MANIFEST}`));
}

/** Returns a name that is free in the folder: scanners give many files one name. */
async function freeName({ folder, clock, extensions }: TargetFolder, base: string): Promise<string> {
  const isTaken = async (name: string) => {
    for (const extension of [...extensions, MANIFEST])
      if (await exists(join(folder, `${name}${extension}`))) return true;
    return false;
  };
  if (!(await isTaken(base))) return base;
  // A name has 255 bytes at most, and a character up to four.
  const timed = `${[...base].slice(0, 50).join('')} ${isoTime(clock.now()).replaceAll(':', '-')}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? timed : `${timed} ${number}`;
    if (!(await isTaken(name))) return name;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
