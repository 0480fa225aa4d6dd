import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import {
  checkUpgrade,
  type EarlierInstallation,
  upgradeInstallation,
} from '../../server/composition/upgrade.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { openDatabase } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrator.ts';
import { deleteFaxes as deleteReceived } from '../../server/features/inbound/store/removal-store.ts';
import type { FaxRow } from '../../server/features/inbound/types.ts';
import { deleteFaxes as deleteSent } from '../../server/features/outbound/store/removal-store.ts';
import type { UpgradeReport } from '../../server/features/upgrade/types.ts';
import { deleteItems } from '../../server/features/work/store/removal-store.ts';
import { makeIdentity, recipientOf } from '../../server/platform/age/keys.ts';
import { bootOptions } from '../setup/boot-options.ts';
import { copyToPostgres, EXPECTED, FIXTURE, movedRows, rowsOf } from '../setup/earlier-installation.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';
import { lendDocumentProcess } from '../setup/shared-documents.ts';
import { newPostgresDatabase, postgresUrl, STORES, withoutPostgres } from '../setup/stores.ts';

const folders: string[] = [];
const databases: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  for (const url of databases.splice(0)) await dropPostgresDatabase(url);
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-upgrade-test-'));
  folders.push(folder);
  return folder;
}

async function newBoot(target: 'sqlite' | 'postgres' = 'sqlite'): Promise<BootOptions> {
  const databaseUrl = target === 'postgres' ? await newPostgresDatabase() : null;
  if (databaseUrl !== null) databases.push(databaseUrl);
  return bootOptions(await newFolder(), databaseUrl);
}

/** The fixture with its database on either kind. */
async function fixtureOn(kind: 'sqlite' | 'postgres'): Promise<EarlierInstallation> {
  if (kind === 'sqlite') return FIXTURE;
  const url = await createPostgresDatabase(postgresUrl ?? '');
  databases.push(url);
  await copyToPostgres(FIXTURE.from, url);
  return { ...FIXTURE, from: url };
}

const clock = new ManualClock();
const OPTIONS = { clock, startDocumentProcess: lendDocumentProcess };

const upgrade = (
  boot: BootOptions,
  earlier: EarlierInstallation = FIXTURE,
  options: Partial<Parameters<typeof upgradeInstallation>[3]> = {},
): Promise<UpgradeReport> =>
  upgradeInstallation(boot, {}, earlier, { dryRun: false, ...OPTIONS, ...options });

const locationOf = ({ dataFolder, databaseUrl }: BootOptions) => ({
  postgresUrl: databaseUrl,
  sqliteFile: join(dataFolder, 'faxdesk.sqlite'),
});

/** Digest of everything in a folder, with the times of changes. */
async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const facts = await stat(join(folder, name));
    hash.update(`${name} ${facts.isFile() ? facts.mtimeMs : ''}`);
    if (facts.isFile()) hash.update(await readFile(join(folder, name)));
  }
  return hash.digest('hex');
}

describe.each(STORES)(`the fixture of an earlier release, upgraded to %s${withoutPostgres}`, (target) => {
  test.each(STORES)('from %s: every row becomes what it must', async (source) => {
    const boot = await newBoot(target);
    const report = await upgrade(boot, await fixtureOn(source));
    const jobs = await rowsOf<Record<string, unknown>>(locationOf(boot), 'fax_job');
    expect(Object.fromEntries(jobs.map(({ id, delivery_state }) => [id, delivery_state]))).toEqual(
      Object.fromEntries(Object.entries(EXPECTED.jobs).map(([id, { state }]) => [id, state])),
    );
    for (const job of jobs) {
      const { backend, to, status } = EXPECTED.jobs[job['id'] as string] ?? {
        backend: '',
        to: '',
        status: '',
      };
      const digits = to.replaceAll(/\D/g, '').slice(-10);
      expect(job).toMatchObject({
        dispatch_mode: 'legacy',
        to_number: `+1${digits}`,
        backend: { phaxio: 'cloudone', sinch: 'cloudtwo' }[backend] ?? backend,
      });
      if (job['delivery_state'] !== 'success') expect(job['reconciliation_reason']).toContain(`“${status}”`);
    }
    const faxes = await rowsOf<Record<string, unknown>>(locationOf(boot), 'inbound_fax');
    expect(faxes).toHaveLength(Object.keys(EXPECTED.received).length);
    for (const fax of faxes) {
      const { kind, sha256 } = EXPECTED.received[fax['id'] as string] ?? { kind: '', sha256: '' };
      const isReceived = kind === 'good' || kind === 'twice';
      expect([fax['id'], kind, fax['status']]).toEqual([fax['id'], kind, isReceived ? 'received' : 'failed']);
      if (isReceived) expect(fax).toMatchObject({ sha256, problem: null });
      else
        expect(fax).toMatchObject({ document: null, sha256: null, problem: expect.stringMatching(/\.$/u) });
    }
    const items = await rowsOf(locationOf(boot), 'work_item');
    expect(items).toHaveLength(faxes.filter(({ status }) => status === 'received').length);
    expect(report.counts).toMatchObject({
      sent_moved: 60,
      received_moved: 30,
      keys_moved: 9,
      mailboxes_moved: 2,
      rules_moved: 2,
      rules_left: 1,
      notifications_moved: 23,
    });
    expect(await rowsOf(locationOf(boot), 'attempt_cost')).toEqual([]);
  });

  test('run twice it adds nothing', async () => {
    const boot = await newBoot(target);
    const first = await upgrade(boot);
    const before = await movedRows(locationOf(boot));
    const second = await upgrade(boot);
    expect(await movedRows(locationOf(boot))).toEqual(before);
    expect(second).toMatchObject({ isRepeated: true, counts: first.counts, notes: first.notes });
  });

  test('rule (archives): a fax that was removed with an archive is not moved over again', async () => {
    const boot = await newBoot(target);
    await upgrade(boot);
    const [sent] = await rowsOf<{ id: string }>(locationOf(boot), 'fax_job');
    const received = await rowsOf<FaxRow>(locationOf(boot), 'inbound_fax');
    const fax = received.find(({ status }) => status === 'received');
    if (!sent || !fax) throw new Error('the fixture has no such faxes');
    const db = openDatabase(locationOf(boot));
    await db.transaction(async (tx) => {
      await deleteSent(tx, [sent.id], { year: 2024, month: null }, '2026-01-01T00:00:00.000Z');
      await deleteItems(tx, [fax.id]);
      await deleteReceived(tx, [fax], { year: 2024, month: null }, '2026-01-01T00:00:00.000Z');
      // As for another copy of the earlier database.
      await tx.deleteFrom('upgrade_note').execute();
      await tx.deleteFrom('upgrade_run').execute();
    });
    await db.close();
    await upgrade(boot);
    const ids = async (table: string) =>
      (await rowsOf<{ id: string }>(locationOf(boot), table)).map(({ id }) => id);
    expect(await ids('fax_job')).toHaveLength(59);
    expect(await ids('fax_job')).not.toContain(sent.id);
    expect(await ids('inbound_fax')).toHaveLength(received.length - 1);
    expect(await ids('inbound_fax')).not.toContain(fax.id);
  });

  test('the dry run prints the same report and changes nothing', async () => {
    const boot = await newBoot(target);
    const before = [await digestOf(boot.dataFolder), await movedRowsOf(boot)];
    const dry = await upgrade(boot, FIXTURE, { dryRun: true });
    expect([await digestOf(boot.dataFolder), await movedRowsOf(boot)]).toEqual(before);
    const real = await upgrade(boot);
    expect(dry.counts).toEqual(real.counts);
    expect(dry.notes.map(({ text }) => text)).toEqual(real.notes.map(({ text }) => text));
    expect(dry.noteCount).toBe(real.noteCount);
  });
});

async function movedRowsOf(boot: BootOptions): Promise<unknown> {
  return boot.databaseUrl === null ? null : movedRows(locationOf(boot));
}

describe('an upgrade', () => {
  test('leaves the earlier installation as it was', async () => {
    const folder = await newFolder();
    await cp(FIXTURE.from, join(folder, 'earlier.db'));
    await cp(FIXTURE.files, join(folder, 'faxdata'), { recursive: true });
    const before = await digestOf(folder);
    await upgrade(await newBoot(), {
      ...FIXTURE,
      from: join(folder, 'earlier.db'),
      files: join(folder, 'faxdata'),
    });
    expect(await digestOf(folder)).toBe(before);
  });

  test('makes a backup before the first change, and none when it has nothing to do', async () => {
    const boot = await newBoot();
    const backups: string[] = [];
    await upgrade(boot, FIXTURE, { onBackup: (file) => backups.push(file) });
    await upgrade(boot, FIXTURE, { onBackup: (file) => backups.push(file) });
    expect(backups).toHaveLength(1);
    expect(await readdir(join(boot.dataFolder, 'backups'))).toEqual([backups[0]?.split('/').at(-1)]);
  });

  test('encrypts that backup for the recipients of the settings', async () => {
    const boot = await newBoot();
    const backups: string[] = [];
    const db = openDatabase({ postgresUrl: null, sqliteFile: join(boot.dataFolder, 'faxdesk.sqlite') });
    await migrate(db.unrestricted as never);
    const value = JSON.stringify([recipientOf(makeIdentity())]);
    await db.transaction((tx) =>
      tx.insertInto('setting').values({ name: 'BACKUP_RECIPIENTS', value, generation: 1 }).execute(),
    );
    await db.close();
    await upgrade(boot, FIXTURE, { onBackup: (file) => backups.push(file) });
    expect(backups).toEqual([expect.stringMatching(/\.zip\.age$/u)]);
    expect((await readFile(backups[0] ?? '')).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  });

  test('keeps its report in the security audit, line by line', async () => {
    const boot = await newBoot();
    const { notes, counts } = await upgrade(boot);
    const events = await rowsOf<{ operation: string; details: string }>(locationOf(boot), 'security_event');
    const upgrades = events.filter(({ operation }) => operation === 'installation.upgrade');
    const details = upgrades.map(
      (event) => JSON.parse(event.details) as { report?: string[]; counts?: object },
    );
    expect(details.find((each) => each.counts)?.counts).toEqual(counts);
    expect(details.flatMap(({ report = [] }) => report)).toEqual(notes.map(({ text }) => text));
  });

  test('refuses a database that is none of an earlier release, and changes nothing', async () => {
    const boot = await newBoot();
    const folder = await newFolder();
    const other = join(folder, 'other.db');
    const db = new BetterSqlite(other);
    db.exec('create table notes (id text)');
    db.close();
    const text = join(folder, 'text.db');
    await writeFile(text, 'no database');
    for (const from of [other, text, join(folder, 'missing.db')])
      await expect(upgrade(boot, { ...FIXTURE, from })).rejects.toThrow(
        /^(That database|There is no|.+is no SQLite)/u,
      );
    await expect(upgrade(boot, { ...FIXTURE, files: join(folder, 'missing') })).rejects.toThrow(
      'There is no folder',
    );
    expect(await rowsOf(locationOf(boot), 'fax_job').catch(() => [])).toEqual([]);
  });

  test('reads a database with a write-ahead log, of which it changes nothing', async () => {
    const folder = await newFolder();
    const file = join(folder, 'earlier.db');
    await cp(FIXTURE.from, join(folder, 'whole.db'));
    const db = new BetterSqlite(join(folder, 'whole.db'));
    db.pragma('journal_mode = WAL');
    db.exec("update fax_jobs set status = 'success' where status = 'weird'");
    // As a killed program leaves it: the change is in the log alone.
    for (const suffix of ['', '-wal']) await cp(join(folder, `whole.db${suffix}`), `${file}${suffix}`);
    db.close();
    await rm(join(folder, 'whole.db'));
    const before = await digestOf(folder);
    const boot = await newBoot();
    await upgrade(boot, { ...FIXTURE, from: file });
    const jobs = await rowsOf<{ id: string; delivery_state: string }>(locationOf(boot), 'fax_job');
    const weird = Object.entries(EXPECTED.jobs).filter(([, { status }]) => status === 'weird');
    for (const [id] of weird) expect(jobs.find((job) => job.id === id)?.delivery_state).toBe('success');
    expect(await digestOf(folder)).toBe(before);
  });

  test('adds to an installation with records of its own, and moves what came later', async () => {
    const folder = await newFolder();
    const from = join(folder, 'earlier.db');
    await cp(FIXTURE.from, from);
    const boot = await newBoot();
    await upgrade(boot, { ...FIXTURE, from });
    const db = new BetterSqlite(from);
    db.exec(`insert into fax_jobs (id, to_number, file_name, tiff_path, status, backend, created_at, updated_at)
      values ('later', '+12025550188', 'a.pdf', '', 'SUCCESS', 'phaxio', '2026-09-01 10:00:00', '2026-09-01 10:00:00')`);
    db.close();
    const { counts } = await upgrade(boot, { ...FIXTURE, from });
    expect(counts).toMatchObject({
      sent_moved: 1,
      sent_present: 60,
      received_moved: 0,
      received_present: 30,
    });
    expect(await rowsOf(locationOf(boot), 'fax_job')).toHaveLength(61);
  });

  test('moves the settings, ignores removed ones and names what a person has to do', async () => {
    const boot = await newBoot();
    const { notes } = await upgrade(boot);
    const settings = await rowsOf<{ name: string; value: string }>(locationOf(boot), 'setting');
    const value = (name: string) => settings.find((setting) => setting.name === name)?.value;
    expect(value('FAX_BACKEND')).toBe('"cloudone"');
    expect(value('PUBLIC_API_URL')).toBe('"https://fax.example.com"');
    expect(value('MAX_REQUESTS_PER_MINUTE')).toBe('120');
    expect(value('PDF_TOKEN_TTL_MINUTES')).toBe('90');
    expect(value('CLOUDONE_API_KEY')).toBeDefined();
    expect(value('CLOUDTWO_PROJECT_ID')).toBe('"project"');
    expect(value('TELEPHONY_INBOUND_SECRET')).toBeDefined();
    const text = notes.map((note) => note.text).join('\n');
    for (const name of [
      'SINCH_INBOUND_VERIFY_SIGNATURE',
      'SINCH_INBOUND_HMAC_SECRET',
      'PLUGIN_REGISTRY_PATH',
    ])
      expect(text).toContain(name);
    expect(text).toContain('callback token');
    expect(text).toContain('https://fax.example.com/cloudone-inbound');
    expect(await readFile(join(boot.dataFolder, 'installation.key'), 'utf8')).toBe(
      'old-installation-key-0123456789abcdef\n',
    );
  });

  test('uses cloudone where nobody ever chose a provider', async () => {
    const boot = await newBoot();
    await upgrade(boot, { ...FIXTURE, environmentFile: null });
    const settings = await rowsOf<{ name: string; value: string }>(locationOf(boot), 'setting');
    expect(settings.find(({ name }) => name === 'FAX_BACKEND')?.value).toBe('"cloudone"');
  });

  test('reads odd and hostile values with a line for each, and loses no fax', async () => {
    const folder = await newFolder();
    const from = join(folder, 'earlier.db');
    const files = join(folder, 'faxdata');
    await mkdir(files);
    await writeFile(join(folder, 'secret.pdf'), '%PDF-1.4 outside');
    await cp(FIXTURE.from, from);
    const db = new BetterSqlite(from);
    for (const table of [
      'fax_jobs',
      'inbound_faxes',
      'api_keys',
      'mailboxes',
      'inbound_rules',
      'inbound_events',
    ])
      db.exec(`delete from ${table}`);
    const job = db.prepare(
      `insert into fax_jobs (id, to_number, file_name, tiff_path, status, error, pages, backend, created_at, updated_at)
       values (?, ?, ?, '', ?, ?, ?, ?, ?, ?)`,
    );
    const ids = ['../../etc', 'x'.repeat(90), 'a b', '', 'ok-1'];
    for (const id of ids)
      job.run(
        id,
        '"; drop table fax_job; --',
        '‮gnp.\u0000exe',
        'sUcCeSs\n',
        '\u001b[2Jgone',
        'many',
        'Weird Plugin!',
        'yesterday',
        '9999-99-99',
      );
    job.run(
      'blob',
      Buffer.from([0xff, 0xfe, 0x00]),
      'a.pdf',
      'queued',
      'e'.repeat(100_000),
      -4,
      'sip',
      12345,
      '2026-01-01 10:00:00',
    );
    const received = db.prepare(
      `insert into inbound_faxes (id, status, backend, pdf_path, sha256, mailbox_label, created_at, received_at, updated_at)
       values (?, 'received', 'phaxio', ?, ?, ?, '2026-01-01 10:00:00', '2026-01-01 10:00:00', '2026-01-01 10:00:00')`,
    );
    received.run('outside', '/faxdata/../secret.pdf', null, null);
    received.run('folder', '/faxdata', null, 'a\nb');
    received.run('bad-sha', '/faxdata/none.pdf', 'not hex', 'x'.repeat(300));
    db.prepare('insert into inbound_rules values (?, ?, ?, ?)').run('r', 'no number', 'None', '');
    db.prepare(
      `insert into api_keys (id, key_id, key_hash, scopes, created_at) values ('k', 'under_score', 'scrypt$x', 'host:terminal', '')`,
    ).run();
    db.prepare(
      `insert into api_keys (id, key_id, key_hash, scopes, created_at, owner) values ('l', 'abc', 'scrypt$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA$n=1073741824$r=64$p=9', 'fax:send', '', 'x')`,
    ).run();
    db.close();
    const boot = await newBoot();
    const { counts, notes } = await upgrade(boot, { from, files, environmentFile: null });
    expect(counts).toMatchObject({
      sent_moved: 6,
      received_moved: 3,
      received_not_received: 3,
      keys_left: 2,
      rules_left: 1,
    });
    const jobs = await rowsOf<Record<string, string>>(locationOf(boot), 'fax_job');
    for (const row of jobs) {
      expect(row['id']).toMatch(/^[\w-]{1,40}$/u);
      expect(JSON.stringify(row)).not.toMatch(/\\u00(0|1)|‮/u);
      expect(row['created_at']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u);
    }
    expect(jobs.filter(({ delivery_state }) => delivery_state === 'success')).toHaveLength(5);
    for (const note of notes) expect(note.text).toMatch(/^[^\p{Cc}]+\.$/u);
  });

  test('refuses while a program has the earlier database open', async () => {
    const { spawn } = await import('node:child_process');
    if (process.platform !== 'linux') return;
    const folder = await newFolder();
    const from = join(folder, 'earlier.db');
    await cp(FIXTURE.from, from);
    const holder = spawn('tail', ['-f', from], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await new Promise((resolve) => holder.stdout.once('data', resolve));
      await expect(upgrade(await newBoot(), { ...FIXTURE, from })).rejects.toThrow(
        /stop the earlier gateway first\. Nothing was changed\.$/u,
      );
    } finally {
      holder.kill();
    }
  });

  test('checks an installation against an open store without changing it', async () => {
    const boot = await newBoot();
    await upgrade(boot);
    const { openDatabase } = await import('../../server/db/database.ts');
    const db = openDatabase(locationOf(boot));
    try {
      const report = await checkUpgrade(db, FIXTURE, OPTIONS);
      expect(report).toMatchObject({ dryRun: true, isRepeated: true });
    } finally {
      await db.close();
    }
  });
});
