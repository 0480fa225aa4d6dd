import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Backups, createBackups, type MakeBackup } from '../../server/features/console/backups.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { DAY, ManualClock } from '../setup/manual-clock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-backups-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const logged: string[] = [];

function backupsOf(make: MakeBackup, clock = new ManualClock()): Backups {
  const logger = createLogger({ write: (line) => logged.push(line) });
  return createBackups({
    clock,
    logger,
    make,
    readContents: async () => null,
    recipients: () => [],
    folder: () => ({ path: folder }),
  });
}

/** A backup that is being made until the test says how it ends. */
function held() {
  const asked: { file: string; options: Parameters<MakeBackup>[1] }[] = [];
  let end: (outcome: Awaited<ReturnType<MakeBackup>> | Error) => void = () => undefined;
  const make: MakeBackup = (file, options) =>
    new Promise((resolve, reject) => {
      asked.push({ file, options });
      end = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
      options.signal.addEventListener('abort', () => reject(options.signal.reason as Error));
    });
  return { make, asked, end: (outcome: Awaited<ReturnType<MakeBackup>> | Error) => end(outcome) };
}

test('only one is made at a time, and it reports its progress', async () => {
  const work = held();
  const backups = backupsOf(work.make);
  const { name } = await backups.begin();
  await expect(backups.begin()).rejects.toMatchObject({
    status: 409,
    publicMessage: 'A backup is already being made.',
  });
  work.asked[0]?.options.onProgress({ rows: 1200, files: 34 });
  expect(await backups.get(name)).toMatchObject({
    state: 'running',
    sentence: '1200 records and 34 documents so far.',
  });
  await expect(backups.remove(name)).rejects.toMatchObject({ status: 409 });
  await expect(backups.open(name)).rejects.toMatchObject({ status: 404 });
  expect(await backups.newest()).toBeNull();
});

test('two that are begun at the same moment are one', async () => {
  const backups = backupsOf(held().make);
  const begun = await Promise.allSettled([backups.begin(), backups.begin()]);
  expect(begun.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('one that fails says why, until another is begun or it is removed', async () => {
  const work = held();
  const backups = backupsOf(work.make);
  const { name } = await backups.begin();
  work.end({ failure: 'The disk is full; no backup was written.' });
  await expect.poll(async () => (await backups.get(name)).state).toBe('failed');
  expect((await backups.list()).items).toEqual([
    expect.objectContaining({ state: 'failed', sentence: 'The disk is full; no backup was written.' }),
  ]);
  await backups.remove(name);
  expect((await backups.list()).items).toEqual([]);
  await backups.begin();
  work.end(new Error('unforeseen'));
  await expect
    .poll(async () => (await backups.list()).items[0]?.sentence)
    .toBe('Something went wrong. The log has the details. No backup was written.');
  expect(logged.join('')).toContain('unforeseen');
  await backups.begin();
  expect((await backups.list()).items.map(({ state }) => state)).toEqual(['running']);
});

test('a stop gives it up at once and calls it no failure', async () => {
  const work = held();
  const backups = backupsOf(work.make);
  await backups.begin();
  await backups.stop();
  expect(work.asked[0]?.options.signal.aborted).toBe(true);
  expect((await backups.list()).items).toEqual([]);
});

test('a start clears what was left half-written long ago, and nothing else', async () => {
  const clock = new ManualClock();
  const kept = ['.new-other.zip', 'faxdesk-2026-11-20-090000.zip', '.new-a-faxdesk-2026-11-21-085900.zip'];
  const encrypted = 'faxdesk-2026-11-20-070000-daily.zip.age';
  kept.push(encrypted, `${encrypted}.contents`, 'notes.contents');
  const old = [
    '.new-0123456789ab-faxdesk-2026-11-20-080000.zip',
    '.new-0123456789ab-faxdesk-2026-11-20-080000-daily.zip.age',
    '.new-0123456789ab-faxdesk-2026-11-20-080000-daily.zip.age.contents',
    'faxdesk-2026-11-20-060000-daily.zip.age.contents',
  ];
  for (const name of [...kept, ...old]) {
    await writeFile(join(folder, name), 'half');
    const at = (clock.now() - (name === kept[2] ? 0 : DAY)) / 1000;
    await utimes(join(folder, name), at, at);
  }
  await backupsOf(held().make, clock).start();
  expect((await readdir(folder)).sort()).toEqual([...kept].sort());
});
