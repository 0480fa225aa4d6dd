import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BackupLease, createBackupLease } from '../../server/features/console/backup-lease.ts';
import { createBackups, type MakeBackup } from '../../server/features/console/backups.ts';
import { createDailyBackups } from '../../server/features/console/daily-backups.ts';
import type { BackupContents } from '../../server/features/console/superseded-backups.ts';
import { dailyRunDay } from '../../server/platform/local-days.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { DAY, HOUR, ManualClock, MINUTE } from '../setup/manual-clock.ts';
import { openStore, STORES } from '../setup/stores.ts';

let folder: string;
let clock: ManualClock;
let wanted: { hour: number | null; keep: number; timeZone: string };
/** Result of the next backups. */
let outcome: Awaited<ReturnType<MakeBackup>>;
/** Reason why a backup could not be restored; null when it could. */
let flaw: string | null;
/** Contents of the older backups, by the day in their name. */
let held: Record<string, Partial<BackupContents>>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-daily-'));
  clock = new ManualClock('2026-11-21T09:00:00.000Z');
  wanted = { hour: 2, keep: 3, timeZone: 'UTC' };
  outcome = { sizeBytes: 5, sha256: 'a'.repeat(64), lost: [], bucket: null, keyDigest: 'the key' };
  flaw = null;
  held = {};
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const alone = { take: async () => true, release: async () => undefined };

function open(lease: BackupLease = alone, during?: () => Promise<void>) {
  const logger = createLogger({ write: () => undefined });
  const make: MakeBackup = async (file) => {
    await during?.();
    if (!('failure' in outcome)) await writeFile(file, 'whole');
    return outcome;
  };
  const lookInto = async (file: string, documents: readonly string[]) => {
    const { keyDigest = 'the key', ...more } = held[/-(\d\d)-\d{6}/u.exec(file)?.[1] ?? ''] ?? {};
    return { keyDigest, documents: (more.documents ?? []).filter((name) => documents.includes(name)) };
  };
  const backups = createBackups({
    clock,
    logger,
    make,
    recipients: () => [],
    readContents: lookInto,
    folder: () => ({ path: folder }),
  });
  const parts = { clock, logger, backups, lease, flaw: () => flaw, wanted: () => wanted };
  return { backups, daily: createDailyBackups(parts) };
}

const made = async () => (await readdir(folder)).filter((name) => name.endsWith('.zip'));

test('the first one is made at once, then one a day at its hour', async () => {
  const { daily } = open();
  for (const at of ['21T09:00', '21T23:00', '22T01:59', '22T02:00', '22T02:01', '23T01:59']) {
    clock.advance(Date.parse(`2026-11-${at}:00.000Z`) - clock.now());
    await daily.run();
  }
  expect(await made()).toEqual([
    'faxdesk-2026-11-21-090000-daily.zip',
    'faxdesk-2026-11-22-020000-daily.zip',
  ]);
});

test('the hour of a day on which nothing ran is caught up once', async () => {
  await open().daily.run();
  clock.advance(3 * DAY);
  const { daily } = open();
  await daily.run();
  await daily.run();
  expect(await made()).toHaveLength(2);
});

test('only as many are kept as are wanted, and those that a person made are never removed', async () => {
  const { backups, daily } = open();
  await backups.begin();
  await backups.settled();
  for (let day = 0; day < 5; day += 1) {
    await daily.run();
    clock.advance(DAY);
  }
  const [own, ...rest] = await made();
  expect(own).toBe('faxdesk-2026-11-21-090000.zip');
  expect(rest).toEqual(['23', '24', '25'].map((day) => `faxdesk-2026-11-${day}-090000-daily.zip`));
});

test('one that fails is said, tried again every hour, and costs no older one', async () => {
  const { daily } = open();
  await daily.run();
  clock.advance(DAY);
  outcome = { failure: 'The disk is full.' };
  await daily.run();
  const problem = 'The daily backup could not be made: The disk is full. It is tried again every hour.';
  expect(daily.problem).toBe(problem);
  outcome = { sizeBytes: 5, sha256: 'b'.repeat(64), lost: [], bucket: null, keyDigest: 'the key' };
  clock.advance(HOUR - 1);
  await daily.run();
  expect([daily.problem, (await made()).length]).toEqual([problem, 1]);
  clock.advance(1);
  await daily.run();
  expect([daily.problem, (await made()).length]).toEqual([null, 2]);
});

/** As many daily backups as days, from the 21st on. */
async function makeDays(count: number, daily = open().daily) {
  for (let day = 0; day < count; day += 1) {
    await daily.run();
    clock.advance(DAY);
  }
  return daily;
}

const daysLeft = async () => (await made()).map((name) => name.slice('faxdesk-2026-11-'.length).slice(0, 2));

test('none is made and none is removed while one could not be restored', async () => {
  const daily = await makeDays(3);
  flaw = 'The data key is missing.';
  await makeDays(5, daily);
  expect(await daysLeft()).toEqual(['21', '22', '23']);
  expect(daily.problem).toBe(
    'No daily backup is made and none is removed, because it could not be restored. The data key is missing.',
  );
  flaw = null;
  await daily.run();
  expect([await daysLeft(), daily.problem]).toEqual([['22', '23', '29'], null]);
});

test('one that alone holds documents that are lost, or another data key, is not removed', async () => {
  held = {
    '21': { documents: ['fax/a.pdf'] },
    '22': { documents: ['fax/a.pdf', 'fax/b.pdf'] },
    '23': { keyDigest: 'the former key' },
    '24': { keyDigest: 'the former key' },
  };
  const daily = await makeDays(3);
  outcome = {
    sizeBytes: 5,
    sha256: 'b'.repeat(64),
    lost: ['fax/a.pdf', 'fax/b.pdf'],
    bucket: null,
    keyDigest: 'the key',
  };
  await makeDays(6, daily);
  expect(await daysLeft()).toEqual(['22', '24', '27', '28', '29']);
  expect(daily.problem).toBe(
    'The last daily backup lacks 2 documents of faxes, whose files are missing from the data folder. Older backups that have them are kept.',
  );
});

test('one that was made while the clock was years ahead neither puts off the others nor costs the newest', async () => {
  wanted = { ...wanted, keep: 1 };
  clock.advance(3650 * DAY);
  const { daily } = open();
  await daily.run();
  clock.advance(-3650 * DAY);
  await daily.run();
  expect(await made()).toEqual(['faxdesk-2026-11-21-090000-daily.zip']);
});

test('a clock that is set back makes no second one of the same day, and puts none off', async () => {
  const { daily } = open();
  await daily.run();
  clock.advance(-30 * DAY);
  await daily.run();
  expect(await made()).toHaveLength(1);
  clock.advance(31 * DAY);
  await daily.run();
  expect(await made()).toHaveLength(2);
});

test('none is made where none is wanted', async () => {
  wanted = { ...wanted, hour: null };
  const { daily } = open();
  await daily.run();
  expect([await made(), daily.problem]).toEqual([[], null]);
});

test('one that a person began is waited for', async () => {
  const { backups, daily } = open();
  const begun = backups.begin();
  await daily.run();
  await begun;
  await backups.settled();
  expect((await backups.daily()).length).toBe(0);
  await daily.run();
  expect((await backups.daily()).length).toBe(1);
});

test.each(STORES)('two gateways on one database (%s) and one folder make one together', async (name) => {
  const store = await openStore(name);
  const leases = [store.db, store.connectAgain()].map((db) => createBackupLease({ db, clock }));
  const [first, second] = leases as [BackupLease, BackupLease];
  const other = open(second).daily;
  const { daily } = open(first, async () => {
    // The minutes pass for both while it is made, which takes its time.
    await other.run();
    clock.advance(9 * MINUTE);
    await daily.run();
    clock.advance(9 * MINUTE);
    await other.run();
  });
  await daily.run();
  await other.run();
  expect(await made()).toHaveLength(1);
  clock.advance(DAY);
  await other.run();
  expect(await made(), 'it is free again').toHaveLength(2);
  await store.close();
});

test.each([
  ['2026-11-21T07:59:00Z', 3, 'America/New_York', '2026-11-20'],
  ['2026-11-21T08:00:00Z', 3, 'America/New_York', '2026-11-21'],
  ['2026-11-21T23:30:00Z', 0, 'Europe/Berlin', '2026-11-22'],
  // In spring the hour from 2 is skipped, in autumn that from 1 comes twice.
  ['2026-03-08T06:59:00Z', 2, 'America/New_York', '2026-03-07'],
  ['2026-03-08T07:00:00Z', 2, 'America/New_York', '2026-03-08'],
  ['2026-03-08T07:00:00Z', 3, 'America/New_York', '2026-03-08'],
  ['2026-11-01T05:00:00Z', 1, 'America/New_York', '2026-11-01'],
  ['2026-11-01T06:00:00Z', 1, 'America/New_York', '2026-11-01'],
  ['2026-11-01T07:59:00Z', 3, 'America/New_York', '2026-10-31'],
  ['2026-11-01T08:00:00Z', 3, 'America/New_York', '2026-11-01'],
])('the day of %s with backups at %i o’clock in %s is %s', (at, hour, timeZone, day) => {
  expect(dailyRunDay(Date.parse(at), hour, timeZone)).toBe(day);
});
