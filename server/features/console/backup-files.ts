import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isEncryptedName } from '../../platform/backup-name.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { TEMPORARY_PREFIX } from '../../platform/durable-file.ts';
import { errorCode } from '../../platform/errors.ts';
import { keySentence } from '../../platform/key-state.ts';
import type { BackupItem } from './types.ts';

const NAME = /^faxdesk-(\d{4}-\d{2}-\d{2})-(\d{2})(\d{2})(\d{2})(-daily|-without-key)?\.zip(?:\.age)?$/u;
/** Names of files that are written for a backup. */
const UNFINISHED = /faxdesk-[\d-]+(daily|without-key)?\.zip(\.age(\.contents)?)?$/u;
/** Age of an unfinished backup that no process owns any more: one in progress is written continuously. */
const LEFT_OVER_MS = 3_600_000;

/**
 * Returns true when a text is the name of a backup: letters, digits and dashes only, so that it cannot name a file
 * elsewhere.
 */
export function isBackupName(text: string): boolean {
  return timeOf(text) !== null;
}

export const isDaily = (name: string): boolean => NAME.exec(name)?.[5] === '-daily';

/** Returns a sentence for a backup that was made while the right data key was missing; null for others. */
const flawOf = (name: string): string | null =>
  NAME.exec(name)?.[5] === '-without-key' ? keySentence('missing') : null;

/** Holds the SHA-256 in the form that `sha256sum -c` reads. */
export const checksumName = (name: string): string => `${name}.sha256`;

const RECORD_EXTENSION = '.contents';
const backupOf = (record: string): string => record.slice(0, -RECORD_EXTENSION.length);
const isRecordName = (name: string): boolean =>
  name.endsWith(RECORD_EXTENSION) && isBackupName(backupOf(name));

/** Returns the names of the files that belong to a backup. */
export const filesOf = (name: string): string[] => [name, checksumName(name), `${name}${RECORD_EXTENSION}`];

/** Lists the complete backups in a folder, newest first. */
export async function listBackupFiles(folder: string): Promise<BackupItem[]> {
  const names = (await namesIn(folder)).filter(isBackupName).sort().reverse();
  const items = await Promise.all(names.map((name) => readBackupFile(folder, name)));
  return items.filter((item) => item !== null);
}

/**
 * Returns the time of the newest backup in a folder that can be opened and was made before `limit` (epoch ms), ISO 8601
 * UTC; null for none. Looks at no more files than it needs, because it is called every few seconds.
 */
export async function newestUsable(folder: string, limit: number): Promise<string | null> {
  const names = (await namesIn(folder)).filter(isBackupName).sort().reverse();
  for (const name of names) {
    const created_at = timeOf(name);
    if (created_at === null || epochOf(created_at) >= limit || flawOf(name) !== null) continue;
    const found = await stat(join(folder, name)).catch(nullWhenMissing);
    if (found?.isFile()) return created_at;
  }
  return null;
}

/** Null when it is not there. */
export async function readBackupFile(folder: string, name: string): Promise<BackupItem | null> {
  const found = await stat(join(folder, name)).catch(nullWhenMissing);
  const created_at = timeOf(name);
  if (!found?.isFile() || created_at === null) return null;
  return {
    name,
    daily: isDaily(name),
    encrypted: isEncryptedName(name),
    state: 'done',
    created_at,
    finished_at: isoTime(Math.round(found.mtimeMs)),
    size_bytes: found.size,
    sha256: await checksumOf(folder, name),
    sentence: flawOf(name),
  };
}

/** Removes backups that a killed gateway left half-written, and records of contents without their backup. */
export async function removeLeftOvers(folder: string, now: number): Promise<void> {
  const names = await namesIn(folder);
  const isLeft = (name: string) =>
    (name.startsWith(TEMPORARY_PREFIX) && UNFINISHED.test(name)) ||
    (isRecordName(name) && !names.includes(backupOf(name)));
  for (const name of names.filter(isLeft)) {
    const path = join(folder, name);
    const found = await stat(path).catch(nullWhenMissing);
    if (found && Math.abs(now - found.mtimeMs) > LEFT_OVER_MS) await rm(path, { force: true });
  }
}

async function checksumOf(folder: string, name: string): Promise<string | null> {
  const text = await readFile(join(folder, checksumName(name)), 'utf8').catch(nullWhenMissing);
  return /^([0-9a-f]{64})\s/u.exec(text ?? '')?.[1] ?? null;
}

function timeOf(name: string): string | null {
  const [, day, hour, minute, second] = NAME.exec(name) ?? [];
  const time = `${day}T${hour}:${minute}:${second}.000Z`;
  return day !== undefined && !Number.isNaN(Date.parse(time)) ? time : null;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(nullWhenMissing)) ?? [];
}

function nullWhenMissing(error: unknown): null {
  if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
  throw error;
}
