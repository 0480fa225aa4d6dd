import { copyFile, mkdtemp, open, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql, type Transaction } from 'kysely';
import { openDatabase } from './database.ts';
import type { StoreLocation } from './snapshot.ts';
import { openSqlite, type SqliteConnection } from './sqlite-file.ts';

/** Row of an earlier release: each value as text, null where it has none. Nothing about it is certain. */
export type EarlierRow = Readonly<Record<string, string | null>>;

/** Page of rows, with the key of the last one; null at the end. */
interface EarlierPage {
  readonly rows: readonly EarlierRow[];
  readonly after: string | null;
}

/** Database of an earlier release, as it was when it was opened. It is only read. */
export interface EarlierStore {
  readonly kind: 'sqlite' | 'postgres';
  /** Names of the columns of a table; empty where there is no such table. */
  columns(table: string): Promise<ReadonlySet<string>>;
  /** 0 for a table that is not there. */
  count(table: string): Promise<number>;
  /** Rows after a key of an earlier page (null for the first), in the order of those keys. */
  page(table: string, after: string | null, limit: number): Promise<EarlierPage>;
  /** Values of these columns that several rows have together, each list of values once, followed by the lowest id of those rows. */
  repeated(table: string, columns: readonly string[]): Promise<(string | null)[][]>;
}

/** Thrown when the database of an earlier release cannot be read. The message is one sentence for a person. */
class EarlierStoreError extends Error {
  override name = 'EarlierStoreError';
}

/** Longest text that is read of a value. Columns of that release are shorter; another writer may have ignored that. */
const MAX_VALUE = 2_000;
const KEY = '_key';

/**
 * Reads a database of an earlier release in one read-only transaction, which keeps SQLite from being changed meanwhile. A
 * file that needs recovery is copied to a temporary folder first, since recovery writes. Throws EarlierStoreError.
 */
export async function withEarlierStore<T>(
  location: StoreLocation,
  work: (store: EarlierStore) => Promise<T>,
): Promise<T> {
  return location.postgresUrl === null
    ? withSqliteFile(location.sqliteFile, work)
    : withPostgres(location, work);
}

/** Lists the files of a SQLite database, by their real paths. */
export async function sqliteFilesOf(file: string): Promise<string[]> {
  const real = await realpath(file);
  return [real, `${real}-journal`, `${real}-wal`, `${real}-shm`];
}

async function withSqliteFile<T>(file: string, work: (store: EarlierStore) => Promise<T>): Promise<T> {
  if ((await headOf(file)) !== SQLITE_HEAD)
    throw new EarlierStoreError(`${file} is no SQLite database, so it is not that of an earlier release.`);
  const copy = (await needsRecovery(file)) ? await copyToTemporary(file) : null;
  try {
    const connection = openSqlite(copy?.file ?? file, { readonly: copy === null });
    try {
      connection.exec('BEGIN');
      return await work(createSqliteReader(connection));
    } finally {
      connection.close();
    }
  } catch (error) {
    throw readableError(error, file);
  } finally {
    if (copy !== null) await rm(copy.folder, { recursive: true, force: true });
  }
}

const SQLITE_HEAD = 'SQLite format 3\0';
/** Offset of the version of the file format, which is 2 for a write-ahead log. */
const FORMAT_AT = 18;

async function headOf(file: string): Promise<string> {
  return (await readHead(file)).subarray(0, SQLITE_HEAD.length).toString('latin1');
}

async function readHead(file: string): Promise<Buffer> {
  const opened = await open(file, 'r').catch(() => {
    throw new EarlierStoreError(`There is no database ${file}, or this account may not read it.`);
  });
  try {
    const head = Buffer.alloc(FORMAT_AT + 1);
    await opened.read(head, 0, head.length, 0);
    return head;
  } finally {
    await opened.close();
  }
}

/** True for a file with a log beside it, or in the mode that needs one. */
async function needsRecovery(file: string): Promise<boolean> {
  for (const suffix of ['-journal', '-wal']) {
    const log = await stat(`${file}${suffix}`).catch(() => null);
    if (log !== null && log.size > 0) return true;
  }
  return (await readHead(file))[FORMAT_AT] === 2;
}

async function copyToTemporary(file: string): Promise<{ folder: string; file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-upgrade-'));
  const copy = join(folder, 'earlier.db');
  await copyFile(file, copy);
  for (const suffix of ['-journal', '-wal']) {
    const log = await stat(`${file}${suffix}`).catch(() => null);
    if (log !== null) await copyFile(`${file}${suffix}`, `${copy}${suffix}`);
  }
  return { folder, file: copy };
}

function readableError(error: unknown, file: string): unknown {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error;
  const reason = code.startsWith('SQLITE_BUSY')
    ? 'a program is writing to it; stop the earlier gateway first'
    : `the database reports ${code}`;
  return new EarlierStoreError(`${file} cannot be read: ${reason}.`, { cause: error });
}

/** Quotes a name for either database. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

function createSqliteReader(connection: SqliteConnection): EarlierStore {
  const columnsOf = (table: string) =>
    (connection.prepare(`select name from pragma_table_info(?)`).all(table) as { name: string }[]).map(
      ({ name }) => name,
    );
  // Without it a text that is no UTF-8 or a number of 64 bits would not be read as it is.
  const asText = (column: string) =>
    `substr(cast(${quoted(column)} as text), 1, ${MAX_VALUE}) as ${quoted(column)}`;
  return {
    kind: 'sqlite',
    columns: async (table) => new Set(columnsOf(table)),
    async count(table) {
      if (columnsOf(table).length === 0) return 0;
      const [row] = connection.prepare(`select count(*) as rows from ${quoted(table)}`).all();
      return (row as { rows: number }).rows;
    },
    async page(table, after, limit) {
      const columns = columnsOf(table);
      if (columns.length === 0) return { rows: [], after: null };
      const listed = columns.map(asText).join(', ');
      const query = `select rowid as ${KEY}, ${listed} from ${quoted(table)} where rowid > ? order by rowid limit ?`;
      const rows = connection.prepare(query).all(after === null ? -(2n ** 63n) : BigInt(after), limit);
      return pageOf(rows as Record<string, string | number | null>[], limit);
    },
    async repeated(table, columns) {
      if (!columns.every((name) => columnsOf(table).includes(name))) return [];
      return (connection.prepare(repeatedQuery(table, columns)).raw().all() as unknown[][]).map((row) =>
        row.map((value) => (value === null ? null : String(value as string | number | bigint))),
      );
    },
  };
}

function repeatedQuery(table: string, columns: readonly string[]): string {
  const listed = columns.map((column) => `cast(${quoted(column)} as text)`).join(', ');
  const groups = columns.map((_column, at) => at + 1).join(', ');
  return `select ${listed}, min(cast(id as text)) from ${quoted(table)} group by ${groups} having count(*) > 1`;
}

function pageOf(rows: readonly Record<string, string | number | null>[], limit: number): EarlierPage {
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    rows: rows.map(({ [KEY]: _key, ...values }) => values as Record<string, string | null>),
    after: last === undefined ? null : String(last[KEY]),
  };
}

async function withPostgres<T>(
  location: StoreLocation,
  work: (store: EarlierStore) => Promise<T>,
): Promise<T> {
  const db = openDatabase(location, { poolSize: 1, hasNoQueryTimeout: true });
  try {
    return await db.unrestricted
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => work(createPostgresReader(tx as unknown as Transaction<never>)));
  } finally {
    await db.close();
  }
}

function createPostgresReader(tx: Transaction<never>): EarlierStore {
  const bare = tx as unknown as Kysely<never>;
  const columnsOf = async (table: string) => {
    const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
      where attrelid = to_regclass(${quoted(table)}) and attnum > 0 and not attisdropped
      order by attnum`.execute(bare);
    return rows.map(({ name }) => name);
  };
  return {
    kind: 'postgres',
    columns: async (table) => new Set(await columnsOf(table)),
    async count(table) {
      if ((await columnsOf(table)).length === 0) return 0;
      const { rows } = await sql<{ rows: string }>`select count(*) as rows from ${sql.ref(table)}`.execute(
        bare,
      );
      return Number(rows[0]?.rows ?? 0);
    },
    async page(table, after, limit) {
      const columns = await columnsOf(table);
      if (columns.length === 0) return { rows: [], after: null };
      const listed = sql.join(
        columns.map((name) => sql`left(${sql.ref(name)}::text, ${sql.lit(MAX_VALUE)}) as ${sql.ref(name)}`),
      );
      const later = after === null ? sql`true` : sql`id > ${after}`;
      const { rows } = await sql<Record<string, string | null>>`select id as ${sql.ref(KEY)}, ${listed}
        from ${sql.ref(table)} where ${later} order by id limit ${sql.lit(limit)}`.execute(bare);
      return pageOf(rows, limit);
    },
    async repeated(table, columns) {
      const known = await columnsOf(table);
      if (!columns.every((name) => known.includes(name))) return [];
      const { rows } = await sql.raw<Record<string, string | null>>(namedQuery(table, columns)).execute(bare);
      return rows.map((row) => [...columns, 'id'].map((_column, at) => row[`c${at}`] ?? null));
    },
  };
}

/** The query with a name for each column, since rows come by name. */
function namedQuery(table: string, columns: readonly string[]): string {
  const listed = columns.map((column, at) => `${quoted(column)}::text as c${at}`).join(', ');
  const groups = columns.map((_column, at) => at + 1).join(', ');
  const id = `min(id::text) as c${columns.length}`;
  return `select ${listed}, ${id} from ${quoted(table)} group by ${groups} having count(*) > 1`;
}
