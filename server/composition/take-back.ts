import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FILE } from '../backup/data-folder.ts';
import type { BootOptions } from '../config/boot.ts';
import type { Database } from '../db/database.ts';
import { policyVersion } from '../features/access/offline.ts';
import { findMove, type MoveRecord, removeMove, writeMove } from '../features/gateways/room.ts';
import { findInstallation } from '../features/storage/room.ts';
import { type Clock, isoTime, systemClock } from '../platform/clock.ts';
import { type Closing, createClosing } from '../platform/closing.ts';
import { createLogger } from '../platform/logger.ts';
import { takeDataFolder } from './data-folder.ts';
import { MoveRefusedError } from './move-errors.ts';
import { assertAlone, openMoveAudit } from './move-marks.ts';
import {
  keepGatewaysAway,
  type Mover,
  type MoveStore,
  noteDatabase,
  openMoveStore,
  refuseUsers,
  type StoreKind,
  storesOf,
} from './move-stores.ts';
import { holdFaxes } from './store.ts';

/** Result of taking a move back. */
interface TakenBack {
  /** The store that gateways may use again. */
  readonly store: string;
  readonly kind: StoreKind;
  /** Faxes that were held, because the other store is lost. */
  readonly held: number;
}

interface Marked {
  readonly store: MoveStore;
  readonly db: Database;
  readonly record: MoveRecord;
}

/**
 * Takes a move back, so that gateways use the store that the installation had left. The other one is left instead, first, and only
 * where no gateway was ever started on it. `isTargetLost` does it without the other store, and holds the faxes that wait: they may have
 * been sent from there. Throws MoveRefusedError, InUseError, OtherGatewaysError and GatewayRunningError.
 */
export async function takeBack(
  boot: BootOptions,
  { isTargetLost, clock = systemClock }: { isTargetLost: boolean; clock?: Clock },
): Promise<TakenBack> {
  const logger = createLogger({ level: 'error' });
  const closing = createClosing(() => logger);
  try {
    await takeDataFolder(boot, closing);
    const stores = isTargetLost ? [await lostSource(boot)] : Object.values(storesOf(boot));
    const marked: Marked[] = [];
    let mover: Mover | null = null;
    for (const store of stores) {
      const found = await openMarked(store, closing);
      if (found === null) continue;
      marked.push(found);
      if (store.kind === 'postgres')
        mover = await keepGatewaysAway(boot, { db: found.db, clock, logger, closing });
    }
    const parts = { boot, clock, mover };
    return isTargetLost ? await takeBackAlone(parts, marked) : await takeBackFrom(parts, marked);
  } finally {
    await closing.run();
  }
}

/** The file of the data folder where it was left, else the database that is named. */
async function lostSource(boot: BootOptions): Promise<MoveStore> {
  const sqliteFile = join(boot.dataFolder, STORE_FILE);
  const location = { postgresUrl: null, sqliteFile };
  const file: MoveStore = { kind: 'sqlite', location, words: sqliteFile };
  if (boot.databaseUrl === null) return file;
  const { postgres } = storesOf(boot);
  return existsSync(sqliteFile) && (await isLeft(file)) ? file : postgres;
}

async function isLeft(store: MoveStore): Promise<boolean> {
  const db = openMoveStore(store);
  try {
    return (await findMove(db))?.state === 'moved';
  } finally {
    await db.close();
  }
}

async function openMarked(store: MoveStore, closing: Closing): Promise<Marked | null> {
  if (store.kind === 'sqlite' && !existsSync(store.location.sqliteFile)) return null;
  await refuseUsers(store);
  const db = openMoveStore(store);
  closing.add('database', () => db.close());
  const record = await findMove(db);
  return record === null ? null : { store, db, record };
}

const NOTHING = 'There is no move to take back: the installation has not left this database.';

interface TakeBackParts {
  readonly boot: BootOptions;
  readonly clock: Clock;
  readonly mover: Mover | null;
}

async function takeBackAlone(parts: TakeBackParts, [source]: readonly Marked[]): Promise<TakenBack> {
  if (source?.record.state !== 'moved') throw new MoveRefusedError(NOTHING);
  // Before the mark goes: a kill in between leaves a store that no gateway takes.
  const held = await holdFaxes(source.db, parts.clock);
  await noteDatabase(parts.boot, source.store.kind);
  await reopen(parts, source, { held, target_lost: true });
  return { store: source.store.words, kind: source.store.kind, held };
}

async function takeBackFrom(parts: TakeBackParts, marked: readonly Marked[]): Promise<TakenBack> {
  const [one, other] = marked;
  if (one === undefined || other === undefined || one.record.id !== other.record.id)
    throw new MoveRefusedError(
      `${NOTHING} If the database that it was moved to is lost, add --target-lost; faxes that wait are then held.`,
    );
  const [source, target] = sidesOf(one, other);
  await leave(parts, target, source);
  await noteDatabase(parts.boot, source.store.kind);
  await reopen(parts, source, { held: 0, target_lost: false });
  return { store: source.store.words, kind: source.store.kind, held: 0 };
}

/** Both were left where an earlier run was interrupted: the target is the one that was left later. */
function sidesOf(one: Marked, other: Marked): [Marked, Marked] {
  const isOneLeft = one.record.state === 'moved';
  const isOtherLeft = other.record.state === 'moved';
  if (isOneLeft && isOtherLeft) return one.record.at <= other.record.at ? [one, other] : [other, one];
  if (!isOneLeft && !isOtherLeft) throw new MoveRefusedError(NOTHING);
  return isOneLeft ? [one, other] : [other, one];
}

/** Marks the target as left, unless a gateway has worked on it: what waits in the source may have been sent from there. */
async function leave({ mover, clock }: TakeBackParts, target: Marked, source: Marked): Promise<void> {
  const { db, record, store } = target;
  await db.transaction(async (tx) => {
    await assertAlone(tx, store, mover);
    const found = await findInstallation(tx);
    if (record.state === 'arrived' && found?.generation !== record.generation)
      throw new MoveRefusedError(
        `Faxdesk was started on ${store.words} since the move, so faxes may have been sent from there. Move it back with faxdesk move --to ${source.store.kind}. Nothing was changed.`,
      );
    if (record.state === 'moved') return;
    const at = isoTime(clock.now());
    await writeMove(tx, { ...record, state: 'moved', place: source.store.words, at, progress: null });
  });
}

/** Lets gateways use the store again, and records that in the security audit. */
async function reopen(
  { boot, clock }: TakeBackParts,
  { db, record }: Marked,
  facts: { held: number; target_lost: boolean },
): Promise<void> {
  const recordInAudit = await openMoveAudit(boot, clock);
  await db.transaction(async (tx) => {
    await removeMove(tx);
    await recordInAudit(tx, await policyVersion(tx), { taken_back_from: record.place, ...facts });
  });
}
