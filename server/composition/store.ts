import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalStorage } from '../adapters/storage/local.ts';
import { STORE_FILE } from '../backup/data-folder.ts';
import type { BootOptions } from '../config/boot.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { awaitsMigration, lockMigration, migrate } from '../db/migrator.ts';
import type { StoreLocation } from '../db/snapshot.ts';
import { createStoreCheck, type StoreCheck } from '../db/store-check.ts';
import { storeWords } from '../db/store-words.ts';
import { migrationsOf } from '../db/table-order.ts';
import { BROADCAST_DOCUMENTS, settleRestoredBroadcasts } from '../features/broadcasts/room.ts';
import { DRAFT_DOCUMENTS } from '../features/desk/room.ts';
import {
  checkBeforeMigration,
  checkMove,
  checkOthers,
  enterGateways,
  findMove,
  hasGateways,
  listGateways,
  type OwnGateway,
} from '../features/gateways/room.ts';
import { RECEIVED_DOCUMENTS } from '../features/inbound/room.ts';
import { settleRestoredMail } from '../features/intake/room.ts';
import { settleRestoredReplies } from '../features/mail-to-fax/room.ts';
import { SENT_DOCUMENTS, settleRestored } from '../features/outbound/room.ts';
import { settleRestoredPrints } from '../features/print-rules/room.ts';
import { PRINTED_DOCUMENTS } from '../features/printing/room.ts';
import { findMismatch, joinStore, refuseMismatch, setUnnamedAside } from '../features/storage/room.ts';
import { settleRestoredSummary } from '../features/summary/room.ts';
import { settleRestoredWebhooks } from '../features/webhooks/room.ts';
import { type Clock, isoTime } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { identifyGateway } from './gateways.ts';

/** The rooms whose rows name stored documents. */
export const DOCUMENT_OWNERS = [
  SENT_DOCUMENTS,
  BROADCAST_DOCUMENTS,
  RECEIVED_DOCUMENTS,
  DRAFT_DOCUMENTS,
  PRINTED_DOCUMENTS,
];

/** Result of a start that accepted a store although it does not belong to the documents. */
export interface Accepted {
  /**
   * Folder to which documents that the store does not name were moved; null when there were none, or this was not
   * requested.
   */
  readonly documentsAside: string | null;
  /** Faxes that were about to be sent by a store that was accepted: they may have been sent since it was copied. */
  readonly held: number;
}

export interface OpenedStore {
  readonly db: Database;
  /** This gateway, entered among those on the database. */
  readonly own: OwnGateway;
  readonly accepted: Accepted;
}

/**
 * Opens the store of an installation in this release's shape, once it is certain that the stored documents are its own:
 * before that nothing is changed. On PostgreSQL it enters the gateway into the table of those on the database. Throws
 * StoreMismatchError, NewerStoreError, StoreMovedError and OtherGatewaysError; then nothing is left open.
 */
export async function openStore(boot: BootOptions, clock: Clock): Promise<OpenedStore> {
  const own = await identifyGateway(boot);
  const where = { postgresUrl: boot.databaseUrl, sqliteFile: join(boot.dataFolder, 'faxdesk.sqlite') };
  const storage = await createLocalStorage(join(boot.dataFolder, 'files'));
  const database = where.postgresUrl === null ? 'sqlite' : 'postgres';
  const { severalGateways = false } = boot;
  const parts = { storage, database, owners: DOCUMENT_OWNERS, severalGateways } as const;
  const refuse = async (db: Database | null) => {
    const mismatch = await findMismatch(parts, db);
    if (mismatch !== null && !boot.acceptEmptyStore)
      await refuseMismatch(mismatch, storage, storeWords(where, 'the store '));
    return mismatch;
  };
  // To open a store that is not there is to make it.
  if (where.postgresUrl === null && !existsSync(where.sqliteFile)) await refuse(null);
  const db = openDatabase(where);
  try {
    checkMove(own, await findMove(db));
    if (where.postgresUrl !== null) await refuseOthers(db, own);
    const isFresh = (await refuse(db)) !== null;
    const stamp = isoTime(clock.now()).replaceAll(/\D/g, '').slice(0, 14);
    const documentsAside = isFresh ? await setUnnamedAside(parts, db, stamp) : null;
    await migrateStore(db, where, own);
    if (where.postgresUrl !== null) await enterGateways(db, own);
    const held = isFresh ? await holdFaxes(db, clock) : 0;
    await joinStore(parts, db, { isFresh });
    return { db, own, accepted: { documentsAside, held } };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Refuses before anything is changed. Throws OtherGatewaysError. */
async function refuseOthers(db: Database, own: OwnGateway): Promise<void> {
  if (await hasGateways(db)) checkOthers(own, await listGateways(db.read), { isStart: true });
}

/** Nothing leaves by itself: the store may be an older copy, and then a provider may have some of it already. */
export async function holdFaxes(db: Database, clock: Clock): Promise<number> {
  const at = isoTime(clock.now());
  const faxes = await db.transaction(async (tx) => {
    await settleRestoredMail(tx, at, 'copy');
    await settleRestoredPrints(tx, at, 'copy');
    await settleRestoredSummary(tx, at, 'copy');
    await settleRestoredReplies(tx, at, 'copy');
    await settleRestoredWebhooks(tx, at, 'copy');
    await settleRestoredBroadcasts(tx, at, 'copy');
    return settleRestored(tx, at, 'copy');
  });
  return faxes.held + faxes.unconfirmed;
}

/** Brings the store to this release's shape, however long that takes. */
async function migrateStore(db: Database, where: StoreLocation, own: OwnGateway): Promise<void> {
  if (where.postgresUrl === null) return void (await migrate(db.unrestricted as never));
  const patient = openDatabase(where, { hasNoQueryTimeout: true, poolSize: 1 });
  try {
    await lockMigration(patient.unrestricted as never);
    const done = await migrationsOf(patient.unrestricted as never, patient.capabilities);
    if (awaitsMigration(done) && (await hasGateways(patient)))
      checkBeforeMigration(own, await listGateways(patient.read));
    await migrate(patient.unrestricted as never);
  } finally {
    await patient.close();
  }
}

/**
 * Logs when the database is found damaged, by any code, and checks that of the data folder, unless `checkStore` is
 * false. Null where nothing is checked.
 */
export function watchStore(
  { boot, checkStore = true }: { boot: BootOptions; checkStore?: boolean },
  parts: { db: Database; clock: Clock; logger: Logger },
): StoreCheck | null {
  const { db, clock } = parts;
  const logger = parts.logger.room('gateway');
  db.damage.onFound((cause) => {
    const facts = cause instanceof Error ? { error: cause } : { found: cause };
    logger.error(facts, 'the database is damaged: nothing is written to it; restore a backup');
  });
  if (db.capabilities.name === 'postgres' || !checkStore) return null;
  const sqliteFile = join(boot.dataFolder, STORE_FILE);
  const notesFile = join(boot.dataFolder, 'store-check.json');
  return createStoreCheck({ sqliteFile, recordFile: notesFile, damage: db.damage, clock, logger });
}
