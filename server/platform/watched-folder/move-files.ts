import { lstat, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, isoTime } from '../clock.ts';
import { errorCode } from '../errors.ts';
import { type FoundDocument, MANIFEST } from './found-files.ts';

/** A folder within the watched one. */
export interface Place {
  /** Absolute. */
  readonly folder: string;
  readonly clock: Clock;
  /** Of documents, in lower case with their point. */
  readonly extensions: readonly string[];
}

/**
 * Moves a document and its manifest to a place, with a note in a text file beside it unless that is null. Never
 * overwrites. The document goes first: while it is in the watched folder its manifest is as well, so that one that was
 * taken and not moved is recognized. A twin leaves the manifest where it is.
 */
export async function moveDocument(place: Place, found: FoundDocument, note: string | null): Promise<void> {
  const { base, extension, file, manifest, isTwin } = found;
  const free = join(place.folder, await freeName(place, base));
  if (note !== null) await writeFile(`${free}.txt`, `${note}\n`);
  await rename(file.path, `${free}${extension}`);
  if (manifest && !isTwin) await rename(manifest.path, `${free}${MANIFEST}`);
}

/** Moves a manifest whose document was moved before. */
export async function moveManifest(
  place: Place,
  manifest: { readonly name: string; readonly path: string },
): Promise<void> {
  const base = manifest.name.slice(0, -MANIFEST.length);
  const isFree = !(await exists(join(place.folder, `${base}${MANIFEST}`)));
  const name = isFree ? base : await freeName(place, base);
  await rename(manifest.path, join(place.folder, `${name}${MANIFEST}`));
}

/** Scanners give many files one name. */
async function freeName({ folder, clock, extensions }: Place, base: string): Promise<string> {
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
