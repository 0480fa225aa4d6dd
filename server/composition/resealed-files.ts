import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { type ReplacingSeals, resealText, UNREADABLE } from '../db/reseal-rows.ts';
import { writeDurablyAtOnce } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import { finishHeaders, type PlannedHeader, writeHeaders } from '../platform/header-journal.ts';
import type { FileSealer } from '../platform/sealed-file.ts';
import { newHeaderOf } from '../platform/sealed-header.ts';

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
      else await writeDurablyAtOnce(path, `${renewed}\n`);
      counts.resealed += 1;
    }
  }
  return counts;
}

/** Copy of the saved settings in the data folder, with its secrets sealed one by one. */
const SETTINGS_COPY = 'settings-recovery.json';
const SettingsCopy = z.looseObject({ settings: z.record(z.string(), z.unknown()) });
const SealedValue = z.strictObject({ sealed: z.string() });

/** Seals the secrets in the copy of the saved settings with the new key, where there is such a copy. */
export async function resealSettingsCopy(dataFolder: string, seals: ReplacingSeals): Promise<FileCounts> {
  const counts = { resealed: 0, unreadable: 0 };
  const path = join(dataFolder, SETTINGS_COPY);
  const copy = parsedCopy(readIfThere(path));
  if (copy === null) return counts;
  const settings = { ...copy.settings };
  for (const [name, value] of Object.entries(settings)) {
    const { data } = SealedValue.safeParse(value);
    const renewed = data === undefined ? null : resealText(data.sealed, `setting:${name}`, seals);
    if (renewed === UNREADABLE) counts.unreadable += 1;
    else if (renewed !== null) {
      settings[name] = { sealed: renewed };
      counts.resealed += 1;
    }
  }
  if (counts.resealed > 0)
    await writeDurablyAtOnce(path, `${JSON.stringify({ ...copy, settings }, null, 2)}\n`);
  return counts;
}

/** Returns null for a file that is not such a copy: people may have changed it. */
function parsedCopy(text: string | null): z.infer<typeof SettingsCopy> | null {
  try {
    return text === null ? null : (SettingsCopy.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
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

const BATCH = 100;

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
  let batch: PlannedHeader[] = [];
  const write = async () => {
    if (batch.length > 0) counts.resealed += await writeHeaders(dataFolder, batch);
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
