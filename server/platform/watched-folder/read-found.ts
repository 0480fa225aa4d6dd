import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type FoundFile, stateOf } from './found-files.ts';

/** Copies the file for its owner alone; false when it is not, or no longer, what was found. */
export async function copyFound(file: FoundFile, to: string): Promise<boolean> {
  await using handle = await openFound(file);
  if (handle === null) return false;
  // Reads no further than the size found, even while another program still writes.
  const source = handle.createReadStream({
    start: 0,
    end: Math.max(0, file.sizeBytes - 1),
    autoClose: false,
  });
  await pipeline(source, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  return await isAsFound(handle, file);
}

/** The text of a file; `changed` when it is not, or no longer, what was found, and `no_text` when it is not UTF-8. */
export async function readFound(
  file: FoundFile,
): Promise<{ readonly text: string } | { readonly problem: 'changed' | 'no_text' }> {
  await using handle = await openFound(file);
  if (handle === null) return { problem: 'changed' };
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(file.sizeBytes), 0, file.sizeBytes, 0);
  if (!(await isAsFound(handle, file))) return { problem: 'changed' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead)) };
  } catch {
    return { problem: 'no_text' };
  }
}

/** Never through a link; null when another file lies there by now. */
async function openFound(file: FoundFile): Promise<FileHandle | null> {
  // Without waiting for a writer, where it is a pipe by now. Windows has none of these flags: undefined counts as 0.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (await isAsFound(handle, file)) return handle;
  await handle.close();
  return null;
}

async function isAsFound(handle: FileHandle, { state }: FoundFile): Promise<boolean> {
  const found = await handle.stat();
  return found.isFile() && stateOf(found) === state;
}
