import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { flushFolder, writeDurably } from './durable-file.ts';
import { errorCode } from './errors.ts';
import { type NewHeader, writeHeader } from './sealed-header.ts';

/** Journal of headers that are about to be written, in the data folder: a power failure in the middle of one is repaired from it. */
const JOURNAL = 'new-headers.json';
const Journal = z.array(z.strictObject({ path: z.string(), salt: z.string(), header: z.string() }));

/** New header of a file, with its path relative to the data folder. */
export interface PlannedHeader extends NewHeader {
  readonly path: string;
}

/** Returns true where a stopped run may have left headers that are not whole. */
export function hasPlannedHeaders(dataFolder: string): boolean {
  return existsSync(join(dataFolder, JOURNAL));
}

/** Writes headers in place, so that the next start can finish them. Returns how many files were still there. */
export async function writeHeaders(dataFolder: string, headers: readonly PlannedHeader[]): Promise<number> {
  await writeDurably(join(dataFolder, JOURNAL), JSON.stringify(headers));
  let written = 0;
  for (const { path, ...header } of headers) if (writeHeader(join(dataFolder, path), header)) written += 1;
  await rm(join(dataFolder, JOURNAL), { force: true });
  return written;
}

/** Writes the headers that a stopped run left behind. Nobody else may write to the data folder. */
export async function finishHeaders(dataFolder: string): Promise<void> {
  const text = await readFile(join(dataFolder, JOURNAL), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return;
  for (const { path, ...header } of Journal.parse(JSON.parse(text)))
    writeHeader(join(dataFolder, path), header);
  await rm(join(dataFolder, JOURNAL), { force: true });
  await flushFolder(dataFolder);
}
