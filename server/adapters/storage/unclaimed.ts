import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { flushFolder, TEMPORARY_PREFIX, writeDurably } from '../../platform/durable-file.ts';
import { errorCode } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import type { UnclaimedDocument } from './port.ts';
import { UNCLAIMED_FOLDER } from './reserved-names.ts';

const RECORD = '.record.json';

const Record = z.object({
  name: z.string().min(1),
  since: z.iso.datetime(),
  reason: z.string(),
  size_bytes: z.int().min(0),
});

/**
 * Moves a stored file to the unclaimed ones, each beside its record: `<id>-<name>` and `<id>-<name>.record.json`. The
 * record is there first, so that no file is without one, whenever the power fails. False when the file is gone.
 */
export async function moveToUnclaimed(
  root: string,
  from: { path: string; name: string },
  { since, reason }: { since: string; reason: string },
): Promise<boolean> {
  const found = await lstat(from.path).catch(nullWhenMissing);
  if (!found?.isFile()) return false;
  const folder = join(root, UNCLAIMED_FOLDER);
  if ((await makeFolder(folder)) !== null) await flushFolder(root);
  const path = join(folder, `${newId()}-${from.name.slice(from.name.lastIndexOf('/') + 1)}`);
  const record = { name: from.name, since, reason, size_bytes: found.size };
  await writeDurably(`${path}${RECORD}`, `${JSON.stringify(record)}\n`);
  try {
    await moveDurably(from.path, path);
    return true;
  } catch (error) {
    await rm(`${path}${RECORD}`, { force: true });
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** In the order in which they came; what has no record, or is none of ours, is left out. */
export async function* unclaimedIn(root: string): AsyncGenerator<UnclaimedDocument> {
  const folder = join(root, UNCLAIMED_FOLDER);
  const names = new Set(await readdir(folder).catch(emptyWhenMissing));
  for (const id of [...names].sort()) {
    if (id.endsWith(RECORD) || id.startsWith(TEMPORARY_PREFIX) || !names.has(`${id}${RECORD}`)) continue;
    const record = Record.safeParse(await jsonIn(join(folder, `${id}${RECORD}`)));
    if (!record.success) continue;
    const { name, since, reason, size_bytes } = record.data;
    yield { id, name, since, reason, sizeBytes: size_bytes };
  }
}

/** Moves it back to `path`, whose folder exists. False when it is gone, or another file has that name meanwhile. */
export async function moveFromUnclaimed(root: string, id: string, path: string): Promise<boolean> {
  if ((await lstat(path).catch(nullWhenMissing)) !== null) return false;
  const from = unclaimedPath(root, id);
  try {
    await moveDurably(from, path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  await rm(`${from}${RECORD}`, { force: true });
  return true;
}

/** The file first: a record without a file names nothing. */
export async function removeUnclaimed(root: string, id: string): Promise<void> {
  const path = unclaimedPath(root, id);
  await rm(path, { force: true });
  await rm(`${path}${RECORD}`, { force: true });
}

/**
 * Removes the remains of a kill between record and move: records without a file that have not changed since `before`.
 * Returns their count.
 */
export async function removeLoneRecords(root: string, before: number): Promise<number> {
  const folder = join(root, UNCLAIMED_FOLDER);
  const names = new Set(await readdir(folder).catch(emptyWhenMissing));
  let removed = 0;
  for (const name of names) {
    if (!name.endsWith(RECORD) || names.has(name.slice(0, -RECORD.length))) continue;
    const found = await lstat(join(folder, name)).catch(nullWhenMissing);
    if (found === null || found.mtimeMs >= before) continue;
    await rm(join(folder, name), { force: true });
    removed += 1;
  }
  return removed;
}

function unclaimedPath(root: string, id: string): string {
  return join(root, UNCLAIMED_FOLDER, id);
}

/** Moves a file within a file system so that a power failure finds it under one of both names. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await flushFolder(dirname(to));
  await flushFolder(dirname(from));
}

async function jsonIn(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

function nullWhenMissing(error: unknown): null {
  if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
  throw error;
}

function emptyWhenMissing(error: unknown): string[] {
  if (errorCode(error) === 'ENOENT') return [];
  throw error;
}
