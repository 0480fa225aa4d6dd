import { lstat, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { errorCode } from '../../../platform/errors.ts';
import type { FoundDocument } from './found-files.ts';

export const DONE = 'done';
export const REFUSED = 'refused';

/**
 * Moves a document and its manifest out of the way: to `done`, or with the reason in a text file beside it to `refused`.
 * Nothing there is overwritten. The PDF goes first: while it lies in the import folder its manifest does as well, so that
 * one that was imported and not moved is found to be a duplicate.
 */
export async function putAway(
  { folder, clock }: { folder: string; clock: Clock },
  { base, pdf, manifest }: FoundDocument,
  reason: string | null,
): Promise<void> {
  const place = join(folder, reason === null ? DONE : REFUSED);
  const free = join(place, await freeName(place, base, clock));
  if (reason !== null) await writeFile(`${free}.txt`, `${reason}\n`);
  await rename(pdf.path, `${free}.pdf`);
  if (manifest) await rename(manifest.path, `${free}.json`);
}

/** Moves a manifest whose PDF was moved before. */
export async function putManifestAway(
  { folder, clock }: { folder: string; clock: Clock },
  manifest: { readonly name: string; readonly path: string },
): Promise<void> {
  const place = join(folder, DONE);
  const base = manifest.name.slice(0, -'.json'.length);
  const isFree = !(await exists(join(place, `${base}.json`)));
  const name = isFree ? base : await freeName(place, base, clock);
  await rename(manifest.path, join(place, `${name}.json`));
}

/** Scanners give many files one name. */
async function freeName(place: string, base: string, clock: Clock): Promise<string> {
  const isTaken = async (name: string) =>
    (await exists(join(place, `${name}.pdf`))) || (await exists(join(place, `${name}.json`)));
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
