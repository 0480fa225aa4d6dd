import { existsSync } from 'node:fs';
import { readdir, readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, createClient } from '../../shared/client/index.ts';
import type { Fault } from '../../shared/fault-kinds.ts';
import { createLocalStorage } from '../adapters/storage/local.ts';
import { UnfinishedRestoreError } from '../backup/errors.ts';
import { storeLocationOf } from '../backup/installation.ts';
import type { BootOptions } from '../config/boot.ts';
import { RELEASE } from '../config/release.ts';
import type { Database, ReadDb } from '../db/database.ts';
import { assertNotNewer, NewerStoreError } from '../db/migrator.ts';
import { DATABASE_AWAY } from '../db/postgres.ts';
import { openForReading } from '../db/snapshot.ts';
import { storeSize } from '../db/store-size.ts';
import { migrationsOf } from '../db/table-order.ts';
import { databaseTime, movedReason } from '../features/gateways/offline.ts';
import { countReceived } from '../features/inbound/offline.ts';
import { countDeliveries } from '../features/intake/offline.ts';
import { countFaxes } from '../features/outbound/offline.ts';
import { countPrints } from '../features/print-rules/offline.ts';
import { countPrinted } from '../features/printing/offline.ts';
import { storedKeyProof, storedNames, storedValues } from '../features/settings/offline.ts';
import { UNCLAIMED_DAYS } from '../features/storage/types.ts';
import { countWebhookDeliveries } from '../features/webhooks/offline.ts';
import { countWorkItems } from '../features/work/offline.ts';
import { countWaiting } from '../jobs/job-store.ts';
import { epochOf, isoTime } from '../platform/clock.ts';
import { connectionSentence } from '../platform/connection-trouble.ts';
import { databaseRefusal } from '../platform/database-refusal.ts';
import { errorCode } from '../platform/errors.ts';
import { STORE_SENTENCES, storeTroubleOf } from '../platform/store-trouble.ts';
import { missingStoreReason } from './data-folder.ts';
import { CommandFailure } from './exit-codes.ts';
import { findFaults, type StoredFacts } from './faults/find-faults.ts';
import { localGateway } from './local-gateway.ts';
import { readinessOf } from './readiness.ts';
import { settleFolder } from './settled-folder.ts';

/** Facts that help to find a fault, without a secret, a number or a document. */
export interface Diagnosis {
  readonly release: string;
  readonly node: string;
  readonly platform: string;
  readonly data_folder: string;
  /** Faults that were found, those first that explain others. */
  readonly faults: readonly Fault[];
  /** Sentence about installations elsewhere that are not used; null without any. */
  readonly unused: string | null;
  readonly free_bytes: number | null;
  readonly gateway: {
    readonly running: boolean;
    readonly url: string | null;
    readonly problems: readonly string[];
    readonly warnings: readonly string[];
  };
  readonly store: StoreFacts;
  /** Documents that no fax names, kept for a time. */
  readonly unclaimed: UnclaimedFacts;
  /** Folders of documents that were moved aside by `--accept-empty-store`; nothing removes them. */
  readonly set_aside: readonly string[];
  /** The newest lines of the newest log file; none when the log goes elsewhere. */
  readonly log: { readonly file: string | null; readonly lines: readonly string[] };
}

interface UnclaimedFacts {
  readonly count: number;
  readonly size_bytes: number;
  /** Since when there has been one, and when the next one is removed; null when there is none. */
  readonly since: string | null;
  readonly next_removal: string | null;
  readonly folder: string;
}

/** By state. */
type Counts = Readonly<Record<string, number>>;

interface StoreFacts {
  readonly database: 'sqlite' | 'postgres';
  /** Null when all is well, else a sentence. */
  readonly problem: string | null;
  readonly size_bytes: number;
  readonly migrations: readonly string[];
  readonly faxes: Counts;
  readonly received_faxes: Counts;
  readonly work_items: Counts;
  readonly email_deliveries: Counts;
  readonly printouts: Counts;
  readonly printed_documents: Counts;
  readonly webhook_deliveries: Counts;
  readonly waiting: Readonly<Record<string, number>>;
  /** Names of stored settings, never their values. */
  readonly settings: readonly string[];
}

const DAY_MS = 24 * 3_600_000;
const LOG_LINES = 20;
const LOG_BYTES = 64 * 1024;

export async function diagnose(boot: BootOptions): Promise<Diagnosis> {
  const { dataFolder } = boot;
  const unused = boot.unused ?? null;
  const gateway = await gatewayFacts(dataFolder);
  const { store, stored } = await readStore(boot);
  return {
    release: RELEASE,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    data_folder: dataFolder,
    faults: await findFaults(boot, { gateway, store, unused }, stored),
    unused,
    free_bytes: await statfs(dataFolder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    ),
    gateway,
    store,
    ...(await asideFacts(join(dataFolder, 'files'))),
    log: await newestLog(join(dataFolder, 'logs')),
  };
}

/** A folder that does not exist is not made. */
async function asideFacts(files: string): Promise<Pick<Diagnosis, 'unclaimed' | 'set_aside'>> {
  const folder = join(files, 'unclaimed');
  const times: string[] = [];
  const unclaimed = { count: 0, size_bytes: 0, since: null, next_removal: null, folder };
  if (!existsSync(files)) return { unclaimed, set_aside: [] };
  const storage = await createLocalStorage(files);
  for await (const { since, sizeBytes } of storage.unclaimed.list()) {
    times.push(since);
    unclaimed.size_bytes += sizeBytes;
  }
  const since = times.sort()[0] ?? null;
  const next_removal = since === null ? null : isoTime(epochOf(since) + UNCLAIMED_DAYS * DAY_MS);
  return {
    unclaimed: { ...unclaimed, count: times.length, since, next_removal },
    set_aside: await storage.listSetAside(),
  };
}

async function gatewayFacts(dataFolder: string): Promise<Diagnosis['gateway']> {
  const url = await localGateway(dataFolder);
  if (url === null) return { running: false, url: null, problems: [], warnings: [] };
  try {
    const signal = AbortSignal.timeout(10_000);
    return { running: true, url, ...(await readinessOf(createClient({ baseUrl: url }), { signal })) };
  } catch (error) {
    const problem = error instanceof ApiError ? error.detail : 'It does not answer.';
    return { running: true, url, problems: [problem], warnings: [] };
  }
}

/** Facts of the store, and those that are for the checks alone; null where it cannot be read. */
interface ReadStore {
  readonly store: StoreFacts;
  readonly stored: StoredFacts | null;
}

async function readStore(boot: BootOptions): Promise<ReadStore> {
  const location = storeLocationOf(boot);
  const database = location.postgresUrl === null ? 'sqlite' : 'postgres';
  const nothing = { size_bytes: 0, migrations: [], ...NO_RECORDS, waiting: {}, settings: [] };
  const unread = (problem: string, facts = {}): ReadStore => ({
    store: { ...nothing, ...facts, database, problem },
    stored: null,
  });
  let db: Database | null = null;
  try {
    await settleFolder(boot);
    const missing = await missingStoreReason(boot);
    if (missing !== null) return unread(missing);
    db = openForReading(location);
    const migrations = await migrationsOf(db.unrestricted as never, db.capabilities);
    const size_bytes = await storeSize(db, location.sqliteFile);
    if (migrations.length === 0) return unread('The database is empty.', { size_bytes });
    assertNotNewer(new Set(migrations));
    const waiting = await countWaiting(db.read);
    const store = {
      database,
      problem: await movedReason(db),
      size_bytes,
      migrations,
      ...(await countRecords(db.read)),
      waiting: Object.fromEntries(waiting.map((row) => [row.kind, row.waiting])),
      settings: await storedNames(db.read),
    } as const;
    return { store, stored: await storedFacts(db) };
  } catch (error) {
    return unread(storeProblem(error));
  } finally {
    await db?.close();
  }
}

async function storedFacts(db: Database): Promise<StoredFacts> {
  return {
    values: await storedValues(db.read),
    keyProof: await storedKeyProof(db.read),
    databaseTime: await databaseTime(db),
  };
}

const NO_RECORDS = {
  faxes: {},
  received_faxes: {},
  work_items: {},
  email_deliveries: {},
  printouts: {},
  printed_documents: {},
  webhook_deliveries: {},
};

async function countRecords(db: ReadDb): Promise<Record<keyof typeof NO_RECORDS, Counts>> {
  return {
    faxes: await countFaxes(db),
    received_faxes: await countReceived(db),
    work_items: await countWorkItems(db),
    email_deliveries: await countDeliveries(db),
    printouts: await countPrints(db),
    printed_documents: await countPrinted(db),
    webhook_deliveries: await countWebhookDeliveries(db),
  };
}

const WITH_SENTENCE = [UnfinishedRestoreError, CommandFailure, NewerStoreError];

/** Returns only the code of a driver's error, whose message may name an account or an address. */
function storeProblem(error: unknown): string {
  if (WITH_SENTENCE.some((known) => error instanceof known)) return (error as Error).message;
  if (errorCode(error) === 'SQLITE_CANTOPEN') return 'There is no database in the data folder yet.';
  const trouble = storeTroubleOf(error);
  if (trouble !== null) return STORE_SENTENCES[trouble];
  const refusal = databaseRefusal(error);
  if (refusal !== null) return refusal;
  if (errorCode(error) === DATABASE_AWAY)
    return connectionSentence(error) ?? 'The database that DATABASE_URL names cannot be reached.';
  return `The database cannot be read (${errorCode(error) || 'unknown reason'}).`;
}

async function newestLog(folder: string): Promise<Diagnosis['log']> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.log')).sort();
  const file = names.at(-1);
  if (file === undefined) return { file: null, lines: [] };
  const text = (await readFile(join(folder, file))).subarray(-LOG_BYTES).toString();
  return { file: join(folder, file), lines: text.trimEnd().split('\n').slice(-LOG_LINES) };
}
