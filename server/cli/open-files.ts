import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandFailure, EXIT } from './exit-codes.ts';

/** Each use of the option adds one. */
export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** Opens the files of an upload in order. Throws when one cannot be read. */
export const openFiles = (paths: readonly string[]) => Promise.all(paths.map(openFile));

async function openFile(path: string) {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory())
    throw new CommandFailure(`${path} is a folder. List its files instead.`, EXIT.badValues);
  // A pipe would be waited for without end.
  if (found !== null && !found.isFile()) throw new CommandFailure(`${path} is not a file.`, EXIT.badValues);
  try {
    return { name: basename(path), content: await openAsBlob(path) };
  } catch {
    throw new CommandFailure(`The file ${path} cannot be read.`, EXIT.badValues);
  }
}
