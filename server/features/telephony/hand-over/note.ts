import { constants } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { InboundHandOver } from '../../../../shared/api/telephony.ts';
import { errorCode } from '../../../platform/errors.ts';
import { HAND_OVER_FAILURES } from './failure.ts';
import { IMAGE_FOLDER } from './image-file.ts';

/**
 * Note that the script writes beside an image that it could not hand over: the reason, and the hand-over of the call,
 * which has ended.
 */
const HandOverNote = z.object({ reason: z.enum(HAND_OVER_FAILURES), order: InboundHandOver });

type HandOverNote = z.infer<typeof HandOverNote>;

const MAX_BYTES = 8192;
const SUFFIX = '.json';
/** Age at which the script has given up, or the image was taken. */
const NOTE_LIFETIME_MS = 10 * 60_000;

/** Reads the note beside an image; null when there is none, or none that can be read. Never follows a link. */
export async function readNote(dataFolder: string, imagePath: string): Promise<HandOverNote | null> {
  const text = await readSmallFile(pathOf(dataFolder, imagePath));
  if (text === null) return null;
  try {
    return HandOverNote.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Removes the note beside an image, where there is one. */
export async function removeNote(dataFolder: string, imagePath: string): Promise<void> {
  await rm(pathOf(dataFolder, imagePath), { force: true });
}

/** Removes the notes whose image has gone, some minutes after they were written. `now`: epoch milliseconds. */
export async function removeOldNotes(dataFolder: string, now: number): Promise<void> {
  const folder = join(dataFolder, IMAGE_FOLDER);
  const names = await readdir(folder);
  const images = new Set(names.filter((name) => IMAGE_NAME.test(name)).map(stemOf));
  for (const name of names) {
    if (!name.endsWith(SUFFIX) || images.has(name.slice(0, -SUFFIX.length))) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found?.isFile() && now - found.mtimeMs > NOTE_LIFETIME_MS) await rm(path, { force: true });
  }
}

const IMAGE_NAME = /\.tiff?$/iu;
const stemOf = (name: string) => name.replace(IMAGE_NAME, '');

const pathOf = (dataFolder: string, imagePath: string) => join(dataFolder, `${stemOf(imagePath)}${SUFFIX}`);

async function readSmallFile(path: string): Promise<string | null> {
  try {
    // Opens without waiting for a writer, in case it is a pipe. Windows has none of these flags: undefined counts as 0.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const found = await file.stat();
    if (!found.isFile() || found.size > MAX_BYTES) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return null;
  }
}
