import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../../platform/errors.ts';
import { pieceMisplaced } from '../errors.ts';

/** Archives that are handed over piece by piece. They lie among the files on their way, which a start removes. */
export interface ArchiveUploads {
  /** Adds a piece at its place and returns the length so far, in bytes. The offset 0 begins anew. Throws a 409 refusal. */
  add(uploadId: string, offset: number, piece: Uint8Array): Promise<number>;
  /** Returns the path of an archive; null for none. */
  find(uploadId: string): Promise<string | null>;
  remove(uploadId: string): Promise<void>;
}

export function createArchiveUploads(workDirectory: string): ArchiveUploads {
  const folder = join(workDirectory, 'archives');
  const pathOf = (uploadId: string) => join(folder, `${uploadId}.zip`);
  return {
    async add(uploadId, offset, piece) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(pathOf(uploadId), offset === 0 ? 'w' : 'r+', 0o600).catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT') throw pieceMisplaced();
        throw error;
      });
      try {
        if ((await file.stat()).size !== offset) throw pieceMisplaced();
        await file.write(piece, 0, piece.length, offset);
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
    remove: (uploadId) => rm(pathOf(uploadId), { force: true }),
  };
}
