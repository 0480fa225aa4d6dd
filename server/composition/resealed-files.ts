import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { type ReplacingSeals, resealText, UNREADABLE } from '../db/reseal-rows.ts';
import { flushFolder, writeDurably } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import type { FileSealer } from '../platform/sealed-file.ts';
import { newHeaderOf, writeHeader } from '../platform/sealed-header.ts';

/** Result of a pass through files: how many were sealed anew, and how many open with neither key. */
interface FileCounts {
  resealed: number;
  unreadable: number;
}

/** File of one sealed text in the data folder. */
export interface SealedFile {
  /** Absolute. */
  readonly path: string;
  readonly context: string;
  /** True for a file that its writer keeps open, so that it must stay the same one. */
  readonly isKeptOpen?: boolean;
}

/** Seals files of one text with the new key. */
export async function resealTextFiles(
  files: readonly SealedFile[],
  seals: ReplacingSeals,
): Promise<FileCounts> {
  const counts = { resealed: 0, unreadable: 0 };
  for (const { path, context, isKeptOpen = false } of files) {
    const whole = readIfThere(path);
    const text = whole?.trim() ?? '';
    const renewed = text === '' ? null : resealText(text, context, seals);
    if (whole === null || renewed === null) continue;
    if (renewed === UNREADABLE) counts.unreadable += 1;
    else {
      if (isKeptOpen) writeInPlace(path, renewed.padEnd(whole.length - 1).concat('\n'));
      else await writeDurably(path, `${renewed}\n`);
      counts.resealed += 1;
    }
  }
  return counts;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Writes at once after it was read, so that its own writer comes before or after. */
function writeInPlace(path: string, text: string): void {
  const file = openSync(path, constants.O_RDWR);
  try {
    writeSync(file, text, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Journal of headers that are about to be written, in the data folder: a power failure in the middle of one is repaired from it. */
const JOURNAL = 'new-headers.json';
const Journal = z.array(z.strictObject({ path: z.string(), salt: z.string(), header: z.string() }));
type NewHeader = z.infer<typeof Journal>[number];
const BATCH = 100;

/** Writes the headers of a journal that a stopped run left behind. */
async function finishHeaders(dataFolder: string): Promise<void> {
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

/**
 * Seals the key in the header of every encrypted file below some folders of the data folder with the new data key. The content
 * stays as it is. Ends early when `isStopped`.
 */
export async function renewHeaders(
  dataFolder: string,
  parts: {
    readonly folders: readonly string[];
    readonly sealer: FileSealer;
    readonly isStopped: () => boolean;
  },
): Promise<FileCounts> {
  await finishHeaders(dataFolder);
  const counts = { resealed: 0, unreadable: 0 };
  let batch: NewHeader[] = [];
  const write = async () => {
    if (batch.length === 0) return;
    await writeDurably(join(dataFolder, JOURNAL), JSON.stringify(batch));
    for (const { path, ...header } of batch)
      if (writeHeader(join(dataFolder, path), header)) counts.resealed += 1;
    await rm(join(dataFolder, JOURNAL), { force: true });
    batch = [];
  };
  for (const folder of parts.folders)
    for await (const path of filesBelow(dataFolder, folder)) {
      if (parts.isStopped()) break;
      const renewed = newHeaderOf(join(dataFolder, path), parts.sealer);
      // Some files of the work have keys that end with the process.
      if (renewed === 'unreadable') counts.unreadable += folder === 'work' ? 0 : 1;
      else if (renewed !== null) batch.push({ path, ...renewed });
      if (batch.length === BATCH) await write();
      // Requests and jobs come between two files.
      await setImmediate();
    }
  await write();
  return counts;
}

/** Yields the paths of all files below a folder, relative to the data folder. Links are not followed. */
async function* filesBelow(dataFolder: string, folder: string): AsyncGenerator<string> {
  const entries = await readdir(join(dataFolder, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(dataFolder, path);
    else if (entry.isFile()) yield path;
  }
}
