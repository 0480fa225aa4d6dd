import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { flushFolder, writeDurably } from './durable-file.ts';
import { errorCode } from './errors.ts';
import type { FileSealer } from './sealed-file.ts';
import { type NewHeader, newHeaderOf, writeHeader } from './sealed-header.ts';
import { createTurns } from './turns.ts';

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

/** There is one journal, so one writer at a time. */
const inTurn = createTurns();

/** Writes headers in place, so that the next start can finish them. Returns how many files were still there. */
export function writeHeaders(dataFolder: string, headers: readonly PlannedHeader[]): Promise<number> {
  return inTurn(async () => {
    // One that a fault left behind is needed until its headers are whole.
    await finish(dataFolder);
    await writeDurably(join(dataFolder, JOURNAL), JSON.stringify(headers));
    const written = writeEach(dataFolder, headers);
    await rm(join(dataFolder, JOURNAL), { force: true });
    return written;
  });
}

/** Writes the headers that a stopped run left behind. Nobody else may write to the data folder. */
export function finishHeaders(dataFolder: string): Promise<void> {
  return inTurn(() => finish(dataFolder));
}

/**
 * Renews the header of a file whose key a former data key sealed: of one that was being written, or was moved, while the data key was
 * replaced. Returns true when it was renewed. Errors of the file system keep their code (`ENOSPC`).
 */
export async function renewHeader(dataFolder: string, path: string, sealer: FileSealer): Promise<boolean> {
  if (!sealer.hasFormerKey) return false;
  const header = newHeaderOf(path, sealer);
  if (header === null || header === 'unreadable') return false;
  return (await writeHeaders(dataFolder, [{ path: relative(dataFolder, path), ...header }])) > 0;
}

async function finish(dataFolder: string): Promise<void> {
  const text = await readFile(join(dataFolder, JOURNAL), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return;
  writeEach(dataFolder, Journal.parse(JSON.parse(text)));
  await rm(join(dataFolder, JOURNAL), { force: true });
  await flushFolder(dataFolder);
}

function writeEach(dataFolder: string, headers: readonly PlannedHeader[]): number {
  let written = 0;
  // A folder of documents may be a link to another disk, whose paths are absolute.
  for (const { path, ...header } of headers) if (writeHeader(resolve(dataFolder, path), header)) written += 1;
  return written;
}
