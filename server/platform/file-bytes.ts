import { type FileHandle, open } from 'node:fs/promises';
import { openStream } from './file-cipher.ts';

const chunkBytes = 64 * 1024;

/** Reads a file piece by piece, decrypted where it has a key. */
export async function* fileBytes({
  path,
  key,
}: {
  readonly path: string;
  readonly key?: Uint8Array | undefined;
}): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r');
  try {
    yield* key === undefined ? fileChunks(handle, (await handle.stat()).size) : openStream(key, handle);
  } finally {
    await handle.close();
  }
}

/** Reads `size` bytes of an open file in pieces of 64 KiB. */
export async function* fileChunks(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  let position = 0;
  while (position < size) {
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size - position));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) throw new Error('The file became shorter while it was read.');
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
