import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { hasSignature } from '../../../../shared/document-types.ts';
import { errorCode } from '../../../platform/errors.ts';
import { badImage } from '../errors.ts';

/** Folder in which the telephone engine leaves its images, below the data folder. */
export const IMAGE_FOLDER = 'inbound';

const OUTSIDE = 'The image is not in the folder inbound of the data folder.';
const THROUGH_LINK = 'The image must not be reached through a symbolic link.';
const UNREADABLE = 'The image cannot be read.';
const NO_TIFF = 'The file is not a TIFF image.';

/** Errors of the system that are not faults of the image. */
const PASSES = ['EMFILE', 'ENFILE', 'EIO', 'EAGAIN', 'ENOMEM', 'ESTALE'];

/** Open image, so that no other file can take its place while it is read. */
export interface OpenImage extends AsyncDisposable {
  readonly file: FileHandle;
  /** Absolute. */
  readonly path: string;
  readonly found: Stats;
}

/**
 * Returns the path of an image within the data folder, below `inbound`, its segments separated by `/`; `given` may be
 * absolute or relative to that folder. Reads no file. Throws a 400 refusal for a path that leads elsewhere: a taken
 * image is deleted, and no other file may be.
 */
export function imagePathOf(dataFolder: string, given: string): string {
  const within = relative(resolve(dataFolder), resolve(dataFolder, given));
  const [first, ...rest] = within.split(sep);
  if (first !== IMAGE_FOLDER || rest.length === 0) throw badImage(OUTSIDE);
  return within.split(sep).join('/');
}

/** Opens the image at a path within the data folder. Throws 400 refusals; null when there is no such file. */
export async function openImage(dataFolder: string, imagePath: string): Promise<OpenImage | null> {
  try {
    const path = await pathWithoutLinks(dataFolder, imagePath);
    // Windows has neither of the two.
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const found = await file.stat();
      await assertTiff(file, found);
      return { file, path, found, [Symbol.asyncDispose]: () => file.close() };
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (errorCode(error) === '' || PASSES.includes(errorCode(error))) throw error;
    throw badImage(UNREADABLE, error);
  }
}

/** Returns true when the image has not been written to since it was opened. */
export async function isUntouched({ path, found }: OpenImage): Promise<boolean> {
  const now = await lstat(path).catch(() => null);
  return now?.ino === found.ino && now.size === found.size && now.mtimeMs === found.mtimeMs;
}

async function pathWithoutLinks(dataFolder: string, imagePath: string): Promise<string> {
  // The folder itself may be reached through one, as /tmp is on macOS.
  let path = await realpath(dataFolder);
  let found: Stats | null = null;
  for (const part of imagePath.split('/')) {
    path = join(path, part);
    found = await lstat(path);
    if (found.isSymbolicLink()) throw badImage(THROUGH_LINK);
  }
  if (!found?.isFile()) throw badImage(UNREADABLE);
  return path;
}

async function assertTiff(file: FileHandle, found: Stats): Promise<void> {
  if (!found.isFile()) throw badImage(UNREADABLE);
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  if (!hasSignature('image/tiff', buffer.toString('latin1'))) throw badImage(NO_TIFF);
}
