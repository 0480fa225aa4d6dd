import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../platform/clock.ts';
import { hasRoomFor } from '../../../platform/disk-space.ts';
import { errorCode } from '../../../platform/errors.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { noRoom, noSuchUpload, pieceMisplaced } from '../errors.ts';

/** Archives that are handed over piece by piece. They lie among the files on their way, which a start removes. */
interface ArchiveUploads {
  /**
   * Adds a piece at its place and returns the length so far, in bytes. The offset 0 begins anew. Throws 404 and 409 refusals, and a 507
   * refusal while the disk has too little room; what was there before then stays.
   */
  add(uploadId: string, offset: number, piece: Uint8Array): Promise<number>;
  /** Returns the path of an archive; null for none. Throws a 404 refusal for what is no id. */
  find(uploadId: string): Promise<string | null>;
  /** Deletes the uploads that were given up. */
  removeAbandoned(): Promise<void>;
}

/** An upload that got no piece for so long was given up. Its documents are not encrypted. */
const ABANDONED_MS = 6 * 3_600_000;

export function createArchiveUploads(
  workDirectory: string,
  clock: Clock,
  hasRoom: typeof hasRoomFor = hasRoomFor,
): ArchiveUploads {
  const folder = join(workDirectory, 'archives');
  /** An id is the name of a file, and of none elsewhere. */
  const pathOf = (uploadId: string) => {
    if (!/^[0-9a-f]{32}$/u.test(uploadId)) throw noSuchUpload();
    return join(folder, `${uploadId}.zip`);
  };
  return {
    async add(uploadId, offset, piece) {
      const path = pathOf(uploadId);
      await makeFolder(folder);
      if (!(await hasRoom(folder, piece.length))) throw noRoom();
      const file = await open(path, offset === 0 ? 'w' : 'r+', 0o600).catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT') throw pieceMisplaced();
        throw error;
      });
      try {
        if ((await file.stat()).size !== offset) throw pieceMisplaced();
        await append(file, piece, offset);
        return offset + piece.length;
      } finally {
        await file.close();
      }
    },
    async find(uploadId) {
      const path = pathOf(uploadId);
      const found = await stat(path).catch(() => null);
      return found?.isFile() ? path : null;
    },
    removeAbandoned: () => removeOlder(folder, clock.now() - ABANDONED_MS),
  };
}

/** A disk that fills up may take a part: it goes, so that the piece can be handed over again. */
async function append(file: FileHandle, piece: Uint8Array, offset: number): Promise<void> {
  try {
    for (let done = 0; done < piece.length; )
      done += (await file.write(piece, done, piece.length - done, offset + done)).bytesWritten;
  } catch (error) {
    await file.truncate(offset);
    throw error;
  }
}

async function removeOlder(folder: string, before: number): Promise<void> {
  // There is no folder before the first upload.
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < before) await rm(path, { force: true });
  }
}
