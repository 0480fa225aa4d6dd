import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../../platform/errors.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { noSuchUpload, pieceMisplaced } from '../errors.ts';

/** Archives that are handed over piece by piece. They lie among the files on their way, which a start removes. */
interface ArchiveUploads {
  /** Adds a piece at its place and returns the length so far, in bytes. The offset 0 begins anew. Throws 404 and 409 refusals. */
  add(uploadId: string, offset: number, piece: Uint8Array): Promise<number>;
  /** Returns the path of an archive; null for none. Throws a 404 refusal for what is no id. */
  find(uploadId: string): Promise<string | null>;
}

export function createArchiveUploads(workDirectory: string): ArchiveUploads {
  const folder = join(workDirectory, 'archives');
  /** An id is the name of a file, and of none elsewhere. */
  const pathOf = (uploadId: string) => {
    if (!/^[0-9a-f]{32}$/u.test(uploadId)) throw noSuchUpload();
    return join(folder, `${uploadId}.zip`);
  };
  return {
    async add(uploadId, offset, piece) {
      await makeFolder(folder);
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
  };
}
