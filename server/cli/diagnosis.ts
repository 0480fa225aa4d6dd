import { readdir, readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, createClient } from '../../shared/client/index.ts';
import { storeLocationOf } from '../backup/installation.ts';
import type { BootOptions } from '../config/boot.ts';
import { RELEASE } from '../config/release.ts';
import type { Database } from '../db/database.ts';
import { openForReading } from '../db/snapshot.ts';
import { storeSize } from '../db/store-size.ts';
import { migrationsOf } from '../db/table-order.ts';
import { countFaxes } from '../features/outbound/offline.ts';
import { storedNames } from '../features/settings/offline.ts';
import { countWaiting } from '../jobs/job-store.ts';
import { errorCode } from '../platform/errors.ts';
import { localGateway } from './local-gateway.ts';

/** What helps to find a fault, without a secret, a number or a document. */
export interface Diagnosis {
  readonly release: string;
  readonly node: string;
  readonly platform: string;
  readonly data_folder: string;
  readonly free_bytes: number | null;
  readonly gateway: {
    readonly running: boolean;
    readonly url: string | null;
    readonly problems: readonly string[];
  };
  readonly store: StoreFacts;
  /** The newest lines of the newest log file; none when the log goes elsewhere. */
  readonly log: { readonly file: string | null; readonly lines: readonly string[] };
}

export interface StoreFacts {
  readonly database: 'sqlite' | 'postgres';
  /** Null when all is well, else a sentence. */
  readonly problem: string | null;
  readonly size_bytes: number;
  readonly migrations: readonly string[];
  readonly faxes: Readonly<Record<string, number>>;
  readonly waiting: Readonly<Record<string, number>>;
  /** Names of stored settings, never their values. */
  readonly settings: readonly string[];
}

const LOG_LINES = 20;
const LOG_BYTES = 64 * 1024;

export async function diagnose(boot: BootOptions): Promise<Diagnosis> {
  const { dataFolder } = boot;
  return {
    release: RELEASE,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    data_folder: dataFolder,
    free_bytes: await statfs(dataFolder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    ),
    gateway: await gatewayFacts(dataFolder),
    store: await storeFacts(boot),
    log: await newestLog(join(dataFolder, 'logs')),
  };
}

async function gatewayFacts(dataFolder: string): Promise<Diagnosis['gateway']> {
  const url = await localGateway(dataFolder);
  if (url === null) return { running: false, url: null, problems: [] };
  try {
    const { problems } = await createClient({ baseUrl: url }).system.ready({
      signal: AbortSignal.timeout(10_000),
    });
    return { running: true, url, problems };
  } catch (error) {
    const problem = error instanceof ApiError ? error.detail : 'It does not answer.';
    return { running: true, url, problems: [problem] };
  }
}

async function storeFacts(boot: BootOptions): Promise<StoreFacts> {
  const location = storeLocationOf(boot);
  const database = location.postgresUrl === null ? 'sqlite' : 'postgres';
  const nothing = { size_bytes: 0, migrations: [], faxes: {}, waiting: {}, settings: [] };
  let db: Database | null = null;
  try {
    db = openForReading(location);
    const migrations = await migrationsOf(db.whole as never, db.capabilities);
    const size_bytes = await storeSize(db, location.sqliteFile);
    if (migrations.length === 0) return { ...nothing, database, size_bytes, problem: 'The store is empty.' };
    const waiting = await countWaiting(db.read);
    return {
      database,
      problem: null,
      size_bytes,
      migrations,
      faxes: await countFaxes(db.read),
      waiting: Object.fromEntries(waiting.map((row) => [row.kind, row.waiting])),
      settings: await storedNames(db.read),
    };
  } catch (error) {
    return { ...nothing, database, problem: storeProblem(error) };
  } finally {
    await db?.close();
  }
}

/** The message of a driver may name an account or an address, so only its code is told. */
function storeProblem(error: unknown): string {
  if (errorCode(error) === 'SQLITE_CANTOPEN') return 'There is no store in the data folder yet.';
  return `The store cannot be read (${errorCode(error) || 'unknown reason'}).`;
}

async function newestLog(folder: string): Promise<Diagnosis['log']> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.log')).sort();
  const file = names.at(-1);
  if (file === undefined) return { file: null, lines: [] };
  const text = (await readFile(join(folder, file))).subarray(-LOG_BYTES).toString();
  return { file: join(folder, file), lines: text.trimEnd().split('\n').slice(-LOG_LINES) };
}
