import { type FileHandle, open } from 'node:fs/promises';

/** A file of which any part can be read. */
export interface ReadableFile {
  /** Bytes of the file when it was opened. */
  readonly size: number;
  /** Yields the bytes from `start` to `end`, without the latter. */
  bytes(start: number, end: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Thrown when a file ends before the size that it had when it was opened. */
export class CutOffError extends Error {
  override name = 'CutOffError';
}

/** Bytes that are read at once. */
const PIECE_BYTES = 256 * 1024;

/** Opens a file for reading parts of it. Throws the errors of the disk, and CutOffError while it is read. */
export async function openReadableFile(path: string): Promise<ReadableFile> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return { size, bytes: (start, end) => readRange(file, start, end), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* readRange(file: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const count = Math.min(PIECE_BYTES, end - at);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, at);
    if (bytesRead === 0) throw new CutOffError('The file was cut off while it was read.');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
