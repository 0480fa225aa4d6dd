import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from '../../platform/errors.ts';
import { type FileToRead, HEADER_BYTES, isSealed } from '../../platform/file-cipher.ts';
import type { FileSealer } from '../../platform/sealed-file.ts';

/** The key of an open file; null for one that is stored as it is. Throws SealError when it cannot be had. */
export async function keyOf(file: FileHandle, sealer: FileSealer): Promise<Uint8Array | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  const start = buffer.subarray(0, bytesRead);
  return isSealed(start) ? sealer.keyOf(start) : null;
}

/** A stored file for its reader; one that is gone is the reader's to find. Throws SealError when its key cannot be had. */
export async function fileToRead(path: string, sealer: FileSealer | null): Promise<FileToRead> {
  if (sealer === null) return path;
  const file = await open(path, 'r').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return path;
  try {
    const key = await keyOf(file, sealer);
    return key === null ? path : { path, key };
  } finally {
    await file.close();
  }
}
