import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve } from 'node:path';
import { ToolRefusedError } from './answers.ts';
import type { ReadNamedFile } from './context.ts';

const OUTSIDE = 'That file is not in a folder that the assistant may use.';
// The last two are undefined on Windows, which adds nothing to the flags; there the path that was resolved decides alone.
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Creates the reader of files below the allowed folders, which must exist. Links are followed before the folder is
 * compared, so that none leads outside. `maxBytes` limits the size of a file.
 */
export async function createNamedFiles(folders: readonly string[], maxBytes: number): Promise<ReadNamedFile> {
  const allowed = await Promise.all(folders.map((folder) => realpath(folder)));
  const isAllowed = (path: string) =>
    allowed.some((folder) => {
      const below = relative(folder, path);
      return below !== '' && !below.startsWith('..') && !isAbsolute(below);
    });
  return async (given) => {
    if (/^[a-z][\w+.-]+:\/\//iu.test(given))
      throw new ToolRefusedError('filePath has to be a path, not an address.');
    const path = await realpath(isAbsolute(given) ? given : resolve(allowed[0] ?? '', given)).catch(
      () => null,
    );
    // A missing file outside and a present one get the same answer.
    if (path === null || !isAllowed(path)) throw new ToolRefusedError(OUTSIDE);
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
    if (file === null) throw new ToolRefusedError('That file cannot be read.');
    try {
      const { size } = await assertFile(file);
      if (size > maxBytes) throw new ToolRefusedError('That file is too large.');
      // A folder of the path may have been replaced by a link before the file was opened.
      if ((await realpath(path).catch(() => null)) !== path) throw new ToolRefusedError(OUTSIDE);
      return { name: basename(path), content: await file.readFile() };
    } finally {
      await file.close();
    }
  };
}

async function assertFile(file: Awaited<ReturnType<typeof open>>) {
  const found = await file.stat();
  if (!found.isFile()) throw new ToolRefusedError('That is not a file.');
  return found;
}
