import type { FileHandle } from 'node:fs/promises';

/** Reads a part of a file; null when the file ends before it or the part is larger than the limit. */
export async function readPart(
  file: FileHandle,
  at: number,
  length: number,
  limit: number,
): Promise<Buffer | null> {
  if (length < 0 || length > limit || at < 0 || !Number.isSafeInteger(at + length)) return null;
  const part = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(part, done, length - done, at + done);
    if (bytesRead === 0) return null;
    done += bytesRead;
  }
  return part;
}
