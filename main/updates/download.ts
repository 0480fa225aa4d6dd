import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FeedReader } from './feed-reader.ts';
import type { Release } from './release.ts';

/** The downloaded file is not the one that its entry describes. It is removed. */
export class DamagedDownloadError extends Error {}

/** The downloaded file must never be opened. It is removed. */
export class RefusedDownloadError extends Error {}

/**
 * Downloads the installer of a release into a folder and returns its path, once its size and hash are right and `check`
 * takes it. A download that broke off is continued at the next call, and one that could not be checked is checked again.
 * Everything else in the folder is removed then, and not before: an installer that is there already may be the one that
 * a person is shown.
 */
export async function downloadRelease(
  reader: FeedReader,
  release: Release,
  folder: string,
  check: (file: string) => Promise<void> = async () => {},
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Named by its hash, so that a part of another release, or of a repaired one, is never continued. Windows checks a
  // signature by the end of the name.
  const part = `${release.sha512.slice(0, 32)}.part${extname(release.file)}`;
  const path = join(folder, release.file);
  if (await fits(path, release)) {
    await removeRefused(path, check);
  } else {
    await remove(folder, (name) => /\.part(?:\.\w+)?$/u.test(name) && name !== part);
    await complete(reader, release, join(folder, part));
    if (!(await fits(join(folder, part), release))) {
      await rm(join(folder, part), { force: true });
      throw new DamagedDownloadError(`${release.file} is not what its entry describes`);
    }
    await removeRefused(join(folder, part), check);
    await rename(join(folder, part), path);
  }
  await remove(folder, (name) => name !== release.file);
  return path;
}

async function removeRefused(file: string, check: (file: string) => Promise<void>): Promise<void> {
  try {
    await check(file);
  } catch (error) {
    if (error instanceof RefusedDownloadError) await rm(file, { force: true });
    throw error;
  }
}

async function remove(folder: string, isUnwanted: (name: string) => boolean): Promise<void> {
  const names = (await readdir(folder)).filter(isUnwanted);
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
}

/** Adds the missing bytes; those that were written stay when the feed breaks off. */
async function complete(reader: FeedReader, release: Release, part: string): Promise<void> {
  const present = await sizeOf(part);
  if (present === release.size) return;
  const { from, bytes } = await reader.open(release.file, present < release.size ? present : 0);
  const file = await open(part, from === 0 ? 'w' : 'a', 0o600);
  try {
    let length = from;
    for await (const piece of bytes) {
      length += piece.length;
      // The rest is not wanted, and the hash will not fit.
      if (length > release.size) break;
      await file.writeFile(piece);
    }
    await file.sync();
    if (length < release.size) throw new Error('the download broke off');
  } finally {
    await file.close();
  }
}

/** Checks that a file is there and has this size and hash. */
export async function fits(
  path: string,
  { size, sha512 }: Pick<Release, 'size' | 'sha512'>,
): Promise<boolean> {
  return (await sizeOf(path)) === size && (await digestOf(path)) === sha512;
}

/** Returns the SHA-512 of a file in lower-case hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha512');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
