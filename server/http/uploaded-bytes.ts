import { readFile } from 'node:fs/promises';
import { openBytes } from '../platform/file-cipher.ts';
import type { UploadedFile } from './multipart.ts';

/** Returns the whole content of an uploaded file; routes that use it check its size first or have small files only. */
export async function uploadedBytes({ content }: Pick<UploadedFile, 'content'>): Promise<Uint8Array> {
  if ('bytes' in content) return content.bytes;
  const stored = await readFile(content.path);
  return content.key === undefined ? stored : openBytes(content.key, stored);
}
