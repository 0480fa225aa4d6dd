import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite from 'better-sqlite3';
import { Client } from 'pg';
import { type EarlierInstallation, upgradeInstallation } from '../../server/composition/upgrade.ts';
import { openForReading, type StoreLocation, withSnapshot } from '../../server/db/snapshot.ts';
import { INSTALLATION_KEY } from './gateway.ts';
import type { ManualClock } from './manual-clock.ts';
import { lendDocumentProcess } from './shared-documents.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/earlier-release/', import.meta.url));

/** Installation of an earlier release, made by a script of that release; it has no real data. */
export const FIXTURE: EarlierInstallation = {
  from: copyOfDatabase(),
  files: join(FOLDER, 'faxdata'),
  environmentFile: join(FOLDER, 'environment'),
};

/** Copies the database for this process: a test of another process that reads it would count as a running gateway. */
function copyOfDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-fixture-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, 'earlier.db');
  copyFileSync(join(FOLDER, 'earlier.db'), copy);
  return copy;
}

/** Upgrades the fixture into a data folder of its own, and returns the folder. */
export async function upgradedFolder(clock: ManualClock): Promise<string> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'faxdesk-upgraded-'));
  const boot = {
    dataFolder,
    host: '127.0.0.1',
    port: 0,
    databaseUrl: null,
    apiKey: INSTALLATION_KEY,
    requireApiKey: true,
    dataKey: null,
  };
  const options = { dryRun: false, clock, startDocumentProcess: lendDocumentProcess };
  await upgradeInstallation(boot, {}, FIXTURE, options);
  return dataFolder;
}

interface ExpectedKey {
  readonly name: string;
  readonly scopes: string;
  readonly token: string;
  readonly revoked: boolean;
  readonly expired: boolean;
}

/** Expected result of each row of the fixture, and the tokens of its keys. */
export const EXPECTED = JSON.parse(readFileSync(join(FOLDER, 'expect.json'), 'utf8')) as {
  readonly keys: readonly ExpectedKey[];
  readonly jobs: Readonly<Record<string, { to: string; status: string; backend: string; state: string }>>;
  readonly received: Readonly<Record<string, { kind: string; sha256: string }>>;
};

/** The token of a key of the fixture by its name. */
export function tokenOf(name: string): string {
  const key = EXPECTED.keys.find((each) => each.name === name);
  if (!key) throw new Error(`the fixture has no key ${name}`);
  return key.token;
}

const TIMES = new Set([
  'created_at',
  'updated_at',
  'received_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
  'retention_until',
  'pdf_token_expires_at',
]);
const NUMBERS = new Set(['pages', 'size_bytes']);

/** Puts the tables of a SQLite file of an earlier release into a PostgreSQL database, in the types that it had there. */
export async function copyToPostgres(file: string, url: string): Promise<void> {
  const source = new BetterSqlite(file, { readonly: true });
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tables = source.prepare("select name from sqlite_master where type = 'table'").all() as {
      name: string;
    }[];
    for (const { name } of tables) await copyTable(source, client, name);
  } finally {
    source.close();
    await client.end();
  }
}

async function copyTable(source: BetterSqlite.Database, client: Client, table: string): Promise<void> {
  const rows = source.prepare(`select * from ${table}`).all() as Record<string, unknown>[];
  const columns = (
    source.prepare('select name from pragma_table_info(?)').all(table) as { name: string }[]
  ).map(({ name }) => name);
  const typed = columns.map((name) => {
    const type = TIMES.has(name) ? 'timestamp' : NUMBERS.has(name) ? 'integer' : 'varchar';
    return `${name} ${type}${name === 'id' ? ' primary key' : ''}`;
  });
  await client.query(`create table ${table} (${typed.join(', ')})`);
  for (const row of rows) {
    const places = columns.map((_name, at) => `$${at + 1}`).join(', ');
    await client.query(
      `insert into ${table} values (${places})`,
      columns.map((name) => row[name]),
    );
  }
}

/** Columns that are different in every run: random, sealed with a random number, or made of such. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  fax_job: ['plan'],
  work_item: ['history_end'],
  upgrade_run: ['id', 'source_mark'],
  upgrade_note: ['run_id'],
  setting: ['value'],
};
/** Tables of an upgraded installation that say nothing about what was moved over. */
const LEFT_OUT = new Set([
  'migration',
  'data_key_proof',
  'gateway',
  'installation',
  'security_chain',
  'security_event',
  'security_count',
  'settings_revision',
  'work_permit',
  'request_count',
]);

/** Every row of what an upgrade moves over, sorted, without what is different in every run. */
export async function movedRows(location: StoreLocation): Promise<Record<string, string[]>> {
  const moved: Record<string, string[]> = {};
  await withSnapshot(location, async ({ tables, rows }) => {
    for (const table of tables.filter((name) => !LEFT_OUT.has(name))) {
      const lines: string[] = [];
      for await (const row of rows(table)) {
        const kept = Object.entries(row).filter(([name]) => !DIFFERENT[table]?.includes(name));
        lines.push(JSON.stringify(Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)))));
      }
      if (lines.length > 0) moved[table] = lines.sort();
    }
  });
  return moved;
}

/** All values of a column of a table of a store. */
export async function rowsOf<T>(location: StoreLocation, table: string): Promise<T[]> {
  const db = openForReading(location);
  try {
    return (await db.unrestricted
      .selectFrom(table as 'fax_job')
      .selectAll()
      .execute()) as T[];
  } finally {
    await db.close();
  }
}

/** A PDF of one page with a text of its own, so that its fingerprint is its own too. */
function smallPdf(text: string): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
    `<< /Title (${text}) >>`,
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${body}xref\n0 5\n0000000000 65535 f \n${table}trailer\n<< /Size 5 /Root 1 0 R /Info 4 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}

const SCHEMA = `
create table fax_jobs (id varchar(40) not null primary key, to_number varchar(64) not null, file_name varchar(255) not null,
  tiff_path varchar(512) not null, status varchar(32) not null, error text, pages integer, backend varchar(20) not null,
  provider_sid varchar(100), pdf_url varchar(512), pdf_token varchar(128), pdf_token_expires_at datetime,
  created_at datetime not null, updated_at datetime not null);
create table api_keys (id varchar(40) not null primary key, key_id varchar(32) not null unique, key_hash varchar(200) not null,
  name varchar(100), owner varchar(100), scopes varchar(200), created_at datetime not null, last_used_at datetime,
  expires_at datetime, revoked_at datetime, note text);
create table inbound_faxes (id varchar(40) not null primary key, from_number varchar(64), to_number varchar(64),
  status varchar(32) not null, backend varchar(20) not null, provider_sid varchar(100), pages integer, size_bytes integer,
  sha256 varchar(64), pdf_path varchar(512), tiff_path varchar(512), mailbox_label varchar(100), retention_until datetime,
  pdf_token varchar(128), pdf_token_expires_at datetime, error text, created_at datetime not null,
  received_at datetime not null, updated_at datetime not null);
create table mailboxes (id varchar(40) not null primary key, label varchar(100) not null unique, allowed_scopes varchar(200),
  note text, created_at datetime not null, updated_at datetime not null);
create table inbound_rules (id varchar(40) not null primary key, to_number varchar(64) not null,
  mailbox_label varchar(100) not null, created_at datetime not null);
create table inbound_events (id varchar(40) not null primary key, provider_sid varchar(100) not null,
  event_type varchar(50) not null, created_at datetime not null, unique (provider_sid, event_type));`;

const STATES = [
  'SUCCESS',
  'success',
  'COMPLETED',
  'completed_ok',
  'FAILED',
  'failed',
  'queued',
  'in_progress',
];
const BACKENDS = ['phaxio', 'sinch', 'sip', 'documo'];
const FIRST_SECOND = Date.UTC(2025, 0, 1) / 1000;

const idOf = (kind: string, n: number) => createHash('md5').update(`${kind} ${n}`).digest('hex');
const timeOf = (n: number) =>
  new Date((FIRST_SECOND + n * 37) * 1000).toISOString().replace('T', ' ').replace('Z', '123');

interface GeneratedSize {
  readonly jobs: number;
  readonly received: number;
  /** Every so many sent faxes have their document. */
  readonly everySentDocument: number;
}

/** Makes an installation of an earlier release in an empty folder, the same one each time. */
export function generateInstallation(folder: string, size: GeneratedSize): EarlierInstallation {
  const files = join(folder, 'faxdata');
  mkdirSync(join(files, 'inbound'), { recursive: true });
  const from = join(folder, 'earlier.db');
  const db = new BetterSqlite(from);
  db.pragma('synchronous = off');
  db.exec(SCHEMA);
  db.exec('begin');
  addMailboxes(db);
  addJobs(db, files, size);
  addReceived(db, files, size.received);
  db.exec('commit');
  db.close();
  return { from, files, environmentFile: null };
}

function addMailboxes(db: BetterSqlite.Database): void {
  const mailbox = db.prepare('insert into mailboxes values (?, ?, ?, null, ?, ?)');
  const rule = db.prepare('insert into inbound_rules values (?, ?, ?, ?)');
  ['Front desk', 'Billing', 'Records'].forEach((label, n) => {
    mailbox.run(idOf('mailbox', n), label, 'inbound:list,inbound:read', timeOf(n), timeOf(n));
    rule.run(idOf('rule', n), `+1202555010${n}`, label, timeOf(n));
  });
}

function addJobs(db: BetterSqlite.Database, files: string, { jobs, everySentDocument }: GeneratedSize): void {
  const insert = db.prepare(
    'insert into fax_jobs values (?, ?, ?, ?, ?, ?, ?, ?, ?, null, null, null, ?, ?)',
  );
  for (let n = 0; n < jobs; n += 1) {
    const id = idOf('job', n);
    const to =
      n % 3 === 0
        ? `(202) 555-${String(n % 10_000).padStart(4, '0')}`
        : `+1202555${String(n % 10_000).padStart(4, '0')}`;
    const state = STATES[n % STATES.length];
    insert.run(
      id,
      to,
      `letter ${n}.pdf`,
      `/faxdata/${id}.tiff`,
      state,
      n % 8 === 4 ? 'line busy' : null,
      n % 5 === 0 ? null : 1,
      BACKENDS[n % BACKENDS.length],
      n % 2 === 0 ? String(n) : null,
      timeOf(n),
      timeOf(n + 5),
    );
    if (n % everySentDocument === 0) writeFileSync(join(files, `${id}.pdf`), smallPdf(`sent ${n}`));
  }
}

function addReceived(db: BetterSqlite.Database, files: string, received: number): void {
  const insert = db.prepare(
    "insert into inbound_faxes values (?, ?, ?, 'received', ?, ?, 1, ?, ?, ?, null, ?, null, null, null, null, ?, ?, ?)",
  );
  const event = db.prepare('insert into inbound_events values (?, ?, ?, ?)');
  for (let n = 0; n < received; n += 1) {
    const id = idOf('received', n);
    const pdf = smallPdf(`received ${n}`);
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    // One of a hundred is missing, and one was altered.
    if (n % 100 !== 7)
      writeFileSync(join(files, 'inbound', `${id}.pdf`), n % 100 === 8 ? smallPdf('another') : pdf);
    const backend = BACKENDS[n % 3];
    const label = n % 4 === 0 ? null : ['Front desk', 'Billing', 'Gone'][n % 3];
    insert.run(
      id,
      n % 2 === 0 ? '+13035550100' : 'Unknown',
      `+1202555010${n % 3}`,
      backend,
      String(900_000 + n),
      pdf.length,
      sha256,
      `/faxdata/inbound/${id}.pdf`,
      label,
      timeOf(n),
      timeOf(n),
      timeOf(n),
    );
    if (backend !== 'sip') event.run(idOf('event', n), String(900_000 + n), `${backend}-inbound`, timeOf(n));
  }
}
