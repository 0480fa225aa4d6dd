import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalStorage } from '../adapters/storage/local.ts';
import { FILES_FOLDER, STORE_FILE } from '../backup/data-folder.ts';
import { InUseError, usersSentence } from '../backup/errors.ts';
import { BootError, type BootOptions } from '../config/boot.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { assertNotNewer, awaitsMigration, lockMigration, migrate } from '../db/migrator.ts';
import { firstFilledTable, movedTables } from '../db/move-tables.ts';
import type { StoreLocation } from '../db/snapshot.ts';
import { setTablesAside } from '../db/staged-schema.ts';
import { settledUsage } from '../db/staging.ts';
import { storeWords } from '../db/store-words.ts';
import { allTables, migrationsOf } from '../db/table-order.ts';
import {
  createMembership,
  enterGateways,
  findMove,
  type Membership,
  MOVES,
  type OwnGateway,
} from '../features/gateways/room.ts';
import { findMismatch, refuseMismatch } from '../features/storage/room.ts';
import { type Clock, isoTime } from '../platform/clock.ts';
import type { Closing } from '../platform/closing.ts';
import { flushFolder } from '../platform/durable-file.ts';
import type { Logger } from '../platform/logger.ts';
import { identifyGateway } from './gateways.ts';
import { MoveRefusedError } from './move-errors.ts';
import { DOCUMENT_OWNERS } from './store.ts';

export type StoreKind = 'sqlite' | 'postgres';

/** One of the two stores of a move. */
export interface MoveStore {
  readonly kind: StoreKind;
  readonly location: StoreLocation;
  /** Its place for a person, without a password. */
  readonly words: string;
}

/** Table that a migration puts a row into. */
const SEEDED = 'security_chain';

/** Returns both stores of a data folder. Throws BootError when none of PostgreSQL is named. */
export function storesOf({ dataFolder, databaseUrl }: BootOptions): Record<StoreKind, MoveStore> {
  if (databaseUrl === null)
    throw new BootError(
      'Set DATABASE_URL to the address of the PostgreSQL database, in the environment of this command or in the file .env of the data folder.',
    );
  const sqliteFile = join(dataFolder, STORE_FILE);
  const sqlite = { postgresUrl: null, sqliteFile };
  const postgres = { postgresUrl: databaseUrl, sqliteFile: '' };
  return {
    sqlite: { kind: 'sqlite', location: sqlite, words: `${sqliteFile} on ${hostname()}` },
    postgres: { kind: 'postgres', location: postgres, words: storeWords(postgres) },
  };
}

/** Opens a store for a move; its queries may take long. */
export function openMoveStore({ location }: MoveStore, options: { readonly?: boolean } = {}): Database {
  return openDatabase(location, { ...options, hasNoQueryTimeout: true, poolSize: 4 });
}

/** Checks that a store has the shape of this release. Throws NewerStoreError and MoveRefusedError. */
export async function checkShape(db: Database, { words }: MoveStore): Promise<void> {
  const done = await migrationsOf(db.unrestricted as never, db.capabilities);
  assertNotNewer(new Set(done));
  if (awaitsMigration(done))
    throw new MoveRefusedError(
      `The records in ${words} are those of an earlier release. Start this release there once, stop it, and run the command again. Nothing was changed.`,
    );
}

/** Checks that records and documents of the installation that is moved belong together. Throws StoreMismatchError. */
export async function checkDocuments(
  { dataFolder }: BootOptions,
  db: Database,
  words: string,
): Promise<void> {
  const storage = await createLocalStorage(join(dataFolder, FILES_FOLDER));
  const parts = { storage, database: db.capabilities.name, owners: DOCUMENT_OWNERS, severalGateways: true };
  const mismatch = await findMismatch(parts, db);
  if (mismatch !== null) await refuseMismatch(mismatch, storage, words);
}

/** Notes in the folder of the documents which database has their records. */
export async function noteDatabase({ dataFolder }: BootOptions, database: StoreKind): Promise<void> {
  const storage = await createLocalStorage(join(dataFolder, FILES_FOLDER));
  const mark = await storage.readMark();
  if (mark !== null && mark.database !== database) await storage.writeMark({ ...mark, database });
}

/** State of a store that an installation is to be moved to. */
export type TargetState = 'empty' | 'begun' | 'left';

/**
 * Returns the state of a target: `begun` by an earlier run for the same installation, `left` by it, or `empty`. Throws
 * MoveRefusedError for anything else. `db` is null for a file that is not there.
 */
export async function targetState(
  db: Database | null,
  { words }: MoveStore,
  installation: string,
): Promise<TargetState> {
  if (db === null || (await allTables(db.unrestricted as never, db.capabilities)).length === 0)
    return 'empty';
  const done = await migrationsOf(db.unrestricted as never, db.capabilities);
  if (done.length === 0)
    throw new MoveRefusedError(`${capital(words)} has tables of another program. Name an empty database.`);
  assertNotNewer(new Set(done));
  const record = await findMove(db);
  const isOurs = record?.installation === installation;
  if (record?.state === 'arriving' && isOurs) {
    if (!awaitsMigration(done)) return 'begun';
    throw new MoveRefusedError(
      `An earlier release began to move the installation to ${words}. Name an empty database.`,
    );
  }
  if (record?.state === 'arriving')
    throw new MoveRefusedError(
      `Another installation is being moved to ${words}, from ${record.place}. Name an empty database.`,
    );
  if (record?.state === 'moved' && isOurs) return 'left';
  const filled = (await movedTables(db)).filter((table) => table !== SEEDED);
  if ((await firstFilledTable(db, filled)) === null) return 'empty';
  throw new MoveRefusedError(
    `There is already an installation in ${words}. Name an empty database. Nothing was changed.`,
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Keeps the rows that the installation left at its target, under another name. Returns that name. */
export async function setTargetAside({ kind, location }: MoveStore, clock: Clock): Promise<string> {
  const aside = `before_move_${isoTime(clock.now()).replaceAll(/\D/gu, '').slice(0, 17)}`;
  if (kind === 'postgres') {
    await setTablesAside(location, aside);
    return `the schema ${aside} of the database`;
  }
  // Closing it has emptied its log, which would be read into the file that comes in its place.
  if (existsSync(`${location.sqliteFile}-wal`))
    throw new MoveRefusedError(
      `Another program uses ${location.sqliteFile}; close it first. Nothing was changed.`,
    );
  const folder = dirname(location.sqliteFile);
  await rename(location.sqliteFile, join(folder, `${aside}.sqlite`));
  await flushFolder(folder);
  return join(folder, `${aside}.sqlite`);
}

/** Brings an empty target to the shape of this release. */
export async function makeTables({ location }: MoveStore): Promise<void> {
  const db = openDatabase(location, { hasNoQueryTimeout: true, poolSize: 1 });
  try {
    if (db.capabilities.name === 'postgres') await lockMigration(db.unrestricted as never);
    await migrate(db.unrestricted as never);
  } finally {
    await db.close();
  }
}

/** This command among the gateways on a PostgreSQL database. */
export interface Mover {
  readonly own: OwnGateway;
  readonly membership: Membership;
}

/**
 * Checks before this process opens a PostgreSQL database that no other program uses it. A gateway that is frozen gives no sign of
 * life, and keeps its connections. Throws InUseError.
 */
export async function refuseUsers({ kind, location }: MoveStore): Promise<void> {
  if (kind === 'sqlite') return;
  const { users } = await settledUsage(location);
  if (users > 0) throw new InUseError(usersSentence(users));
}

/** Returns this command as gateways on the database see it. */
export async function moverOf(boot: BootOptions): Promise<OwnGateway> {
  const name = `faxdesk move on ${hostname()}`;
  return { ...(await identifyGateway(boot)), name, works_with: MOVES, several: 0 };
}

/** Keeps gateways from working on the PostgreSQL side of a move until `closing` is run. Throws OtherGatewaysError. */
export async function keepGatewaysAway(
  boot: BootOptions,
  parts: { db: Database; clock: Clock; logger: Logger; closing: Closing },
): Promise<Mover> {
  const { db, clock, logger, closing } = parts;
  const own = await moverOf(boot);
  await enterGateways(db, own);
  const membership = createMembership({ db, own, clock, logger });
  // The sign of life ends by itself while the database is away.
  closing.add('sign of life', () => membership.leave().catch(() => undefined));
  return { own, membership };
}
