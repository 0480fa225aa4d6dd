import { existsSync } from 'node:fs';
import type { BootOptions } from '../config/boot.ts';
import { RELEASE } from '../config/release.ts';
import type { Database, WriteTx } from '../db/database.ts';
import {
  countRows,
  emptyMovedTables,
  type FillProgress,
  fillTables,
  movedTables,
  refreshStatistics,
} from '../db/move-tables.ts';
import { withSnapshot } from '../db/snapshot.ts';
import { digestRows, type TableDigest } from '../db/table-digest.ts';
import { policyVersion } from '../features/access/offline.ts';
import {
  checkMove,
  findMove,
  findMoveIn,
  forgetGateways,
  type MoveRecord,
  noteProgress,
  writeMove,
} from '../features/gateways/room.ts';
import { findInstallation } from '../features/storage/room.ts';
import { type Clock, isoTime, systemClock } from '../platform/clock.ts';
import { type Closing, createClosing } from '../platform/closing.ts';
import { newId } from '../platform/ids.ts';
import { createLogger } from '../platform/logger.ts';
import { takeDataFolder } from './data-folder.ts';
import { MoveRefusedError } from './move-errors.ts';
import { assertAlone, openMoveAudit } from './move-marks.ts';
import {
  checkDocuments,
  checkShape,
  keepGatewaysAway,
  type Mover,
  type MoveStore,
  makeTables,
  noteDatabase,
  openMoveStore,
  refuseUsers,
  type StoreKind,
  setTargetAside,
  storesOf,
  targetState,
} from './move-stores.ts';

/** Progress of a part of a move, in rows. */
type OnMoveProgress = (step: { part: 'copy' | 'compare'; done: number; total: number }) => void;

interface MoveOptions {
  readonly onProgress?: OnMoveProgress;
  /** Called with the name under which a store is kept that the installation had left before. */
  readonly onAside?: (name: string) => void;
  /** Called for each text that is moved without the character NUL, which PostgreSQL cannot store. */
  readonly onNul?: () => void;
  /** The system clock when left out. */
  readonly clock?: Clock;
}

/** Table that was moved, with the digest that both stores have over all its rows. */
interface MovedTable extends TableDigest {
  readonly name: string;
}

export interface MoveReport {
  readonly from: string;
  readonly to: string;
  /** True when an earlier run had begun it. */
  readonly isResumed: boolean;
  /** True when it was complete before; then nothing was done, and there are no tables. */
  readonly wasComplete: boolean;
  readonly tables: readonly MovedTable[];
}

/** Both stores of a move, open, and what keeps others away from them. */
interface MoveParts {
  readonly boot: BootOptions;
  readonly clock: Clock;
  readonly source: MoveStore & { readonly db: Database };
  readonly target: MoveStore & { readonly db: Database };
  readonly mover: Mover;
  readonly onProgress: OnMoveProgress;
  readonly onNul: () => void;
}

/**
 * Moves the records of an installation to the other database while no gateway works on either. The source is only read, until
 * all rows were compared; then it is marked as left, and after that the target as complete, so that at no moment a gateway starts
 * on both. Interrupted anywhere, it goes on when it is called again. Throws MoveRefusedError, StoreMovedError, InUseError,
 * GatewayRunningError and what a start throws.
 */
export async function moveInstallation(
  boot: BootOptions,
  to: StoreKind,
  options: MoveOptions = {},
): Promise<MoveReport> {
  const { clock = systemClock, onProgress = () => undefined, onNul = () => undefined } = options;
  const { source, target, postgres } = directionOf(boot, to);
  const logger = createLogger({ level: 'error' });
  const closing = createClosing(() => logger);
  try {
    await takeDataFolder(boot, closing);
    await refuseUsers(postgres);
    const from = openSource(source, closing);
    const left = await findMove(from);
    if (left?.state !== 'moved') await checkSource(boot, from, source, left);
    const began = await prepareTarget(from, target, { left, options, clock });
    const db = openMoveStore(target);
    closing.add('database', () => db.close());
    const mover = await keepGatewaysAway(boot, {
      db: to === 'postgres' ? db : from,
      clock,
      logger,
      closing,
    });
    const parts = {
      boot,
      clock,
      mover,
      onProgress,
      onNul,
      source: { ...source, db: from },
      target: { ...target, db },
    };
    return await run(parts, { left, began });
  } finally {
    await closing.run();
  }
}

/** Returns both stores of a data folder in the direction of a move. Throws BootError. */
export function directionOf(
  boot: BootOptions,
  to: StoreKind,
): { source: MoveStore; target: MoveStore; postgres: MoveStore } {
  const { sqlite, postgres } = storesOf(boot);
  return to === 'postgres'
    ? { source: sqlite, target: postgres, postgres }
    : { source: postgres, target: sqlite, postgres };
}

/** Opens the store that is moved until `closing` is run. Throws MoveRefusedError when there is none. */
export function openSource(
  source: MoveStore,
  closing: Closing,
  options: { readonly?: boolean } = {},
): Database {
  if (source.kind === 'sqlite' && !existsSync(source.location.sqliteFile))
    throw new MoveRefusedError(
      `There is no database ${source.location.sqliteFile}. Use --data to give another folder.`,
    );
  const db = openMoveStore(source, options);
  closing.add('database', () => db.close());
  return db;
}

/**
 * Checks that a store can be moved; `left` is its mark. Throws StoreMovedError, NewerStoreError, StoreMismatchError and
 * MoveRefusedError.
 */
export async function checkSource(
  boot: BootOptions,
  db: Database,
  source: MoveStore,
  left: MoveRecord | null,
): Promise<void> {
  checkMove({ works_with: 1 }, left);
  if ((await movedTables(db)).length === 0)
    throw new MoveRefusedError(`There is no installation in ${source.words}. Nothing was changed.`);
  await checkShape(db, source);
  await checkDocuments(boot, db, source.words);
}

/** Returns the installation of a store. Throws MoveRefusedError where no gateway was ever started. */
export async function installationOf(db: Database): Promise<{ id: string; generation: number }> {
  const found = await findInstallation(db.read);
  if (found !== null) return found;
  throw new MoveRefusedError(
    'No gateway was ever started on this installation, so there is nothing to move.',
  );
}

type Beginning = 'new' | 'resumed' | 'complete';

/** Makes the tables of a target that has none. Throws MoveRefusedError for one that has others. */
async function prepareTarget(
  source: Database,
  target: MoveStore,
  parts: { left: MoveRecord | null; options: MoveOptions; clock: Clock },
): Promise<Beginning> {
  const { left, options, clock } = parts;
  const { id } = await installationOf(source);
  const isThere = target.kind === 'postgres' || existsSync(target.location.sqliteFile);
  const db = isThere ? openMoveStore(target) : null;
  const record = db === null ? null : await findMove(db);
  if (left?.state === 'moved') {
    await db?.close();
    // The source was left for this target, or for another one.
    if (record?.id !== left.id || record.state === 'moved') checkMove({ works_with: 1 }, left);
    return record?.state === 'arrived' ? 'complete' : 'resumed';
  }
  try {
    const state = await targetState(db, target, id);
    await db?.close();
    if (state === 'begun') return 'resumed';
    if (state === 'left') options.onAside?.(await setTargetAside(target, clock));
    await makeTables(target);
    return 'new';
  } finally {
    await db?.close();
  }
}

async function run(
  parts: MoveParts,
  { left, began }: { left: MoveRecord | null; began: Beginning },
): Promise<MoveReport> {
  const { source, target } = parts;
  const report = { from: source.words, to: target.words, isResumed: began === 'resumed' };
  if (left?.state === 'moved') {
    await finish(parts, left, began);
    return { ...report, wasComplete: began === 'complete', tables: [] };
  }
  const tables = await fillAndCompare(parts);
  const record = await findMove(target.db);
  if (record === null) throw new Error('the target has no mark');
  await finish(parts, record, began);
  return { ...report, wasComplete: false, tables };
}

/** Fills the target, and once again from its beginning where an earlier run left rows that the source does not have. */
async function fillAndCompare(parts: MoveParts): Promise<MovedTable[]> {
  const { source, target } = parts;
  const tables = await movedTables(source.db);
  const there = await movedTables(target.db);
  if (tables.toSorted(byName).join(' ') !== there.toSorted(byName).join(' '))
    throw new MoveRefusedError('The two databases do not have the same tables. Nothing was changed.');
  const total = await countRows(source.db, tables);
  const from = await beginning(parts);
  await fill(parts, tables, { from, total });
  const first = await compare(parts, tables, total);
  if (first.differing === null) return first.tables;
  // Rows of an earlier run may be older than the source by now.
  await startOver(parts);
  if (from !== null) {
    await fill(parts, tables, { from: null, total });
    const again = await compare(parts, tables, total);
    if (again.differing === null) return again.tables;
    await startOver(parts);
  }
  throw new MoveRefusedError(
    `The rows of ${first.differing} are not the same in both databases, so the move was not completed. ${source.words} was not changed and can be used as before.`,
  );
}

const byName = (a: string, b: string) => (a < b ? -1 : 1);

/** Returns how far an earlier run came with the source as it is now; null to begin anew, with the target empty. */
async function beginning(parts: MoveParts): Promise<FillProgress | null> {
  const { source, target } = parts;
  const { id, generation } = await installationOf(source.db);
  const record = await findMove(target.db);
  if (record?.state === 'arriving' && record.installation === id && record.generation === generation)
    if (record.progress !== null) return JSON.parse(record.progress) as FillProgress;
  await startOver(parts);
  return null;
}

async function startOver({ source, target, clock }: MoveParts): Promise<void> {
  const { id: installation, generation } = await installationOf(source.db);
  await target.db.transaction(async (tx) => {
    await emptyMovedTables(target.db, tx);
    await writeMove(tx, {
      id: newId(),
      state: 'arriving',
      place: source.words,
      installation,
      generation,
      at: isoTime(clock.now()),
      progress: null,
    });
  });
}

async function fill(
  { source, target, onProgress, onNul }: MoveParts,
  tables: readonly string[],
  { from, total }: { from: FillProgress | null; total: number },
): Promise<void> {
  const earlier = from === null ? 0 : await countRows(target.db, tables);
  let done = earlier;
  const onRows = (count: number) => {
    done += count;
    onProgress({ part: 'copy', done, total });
  };
  const record = (tx: WriteTx, progress: FillProgress) => noteProgress(tx, JSON.stringify(progress));
  await fillTables({ source: source.db, target: target.db, tables }, from, { record, onRows, onNul });
  await refreshStatistics(target.db);
}

/** Reads both stores whole. `differing` is the name of a table whose rows differ; null when all are the same. */
async function compare(
  { source, target, onProgress }: MoveParts,
  tables: readonly string[],
  total: number,
): Promise<{ tables: MovedTable[]; differing: string | null }> {
  let done = 0;
  const onRows = (count: number) => {
    done += count;
    onProgress({ part: 'compare', done, total: 2 * total });
  };
  const digests = ({ location }: MoveStore) =>
    withSnapshot(location, async ({ rows }) => {
      const found: MovedTable[] = [];
      for (const name of tables) found.push({ name, ...(await digestRows(rows(name), onRows)) });
      return found;
    });
  const [own, others] = [await digests(source), await digests(target)];
  const differs = ({ rows, digest }: MovedTable, at: number) =>
    rows !== others[at]?.rows || digest !== others[at].digest;
  return { tables: own, differing: own.find(differs)?.name ?? null };
}

/** Marks the source as left, then the target as complete. Each step may have been done before. */
async function finish(parts: MoveParts, record: MoveRecord, began: Beginning): Promise<void> {
  const { boot, source, target, clock, mover } = parts;
  if (began === 'complete') return noteDatabase(boot, target.kind);
  const at = isoTime(clock.now());
  const left: MoveRecord = { ...record, state: 'moved', place: target.words, at, progress: null };
  await source.db.transaction(async (tx) => {
    await assertAlone(tx, source, mover);
    if ((await findMoveIn(tx, source.db.capabilities))?.state === 'moved') return;
    const found = await findInstallation(tx);
    if (found?.generation !== record.generation)
      throw new MoveRefusedError(
        'A gateway was started on the installation during the move. Run the command again.',
      );
    if (source.kind === 'postgres') await forgetGateways(tx);
    await writeMove(tx, left);
  });
  await noteDatabase(boot, target.kind);
  await activate(parts, { ...record, state: 'arrived', place: source.words, at, progress: null });
}

async function activate(
  { boot, source, target, clock, mover }: MoveParts,
  record: MoveRecord,
): Promise<void> {
  const recordInAudit = await openMoveAudit(boot, clock);
  await target.db.transaction(async (tx) => {
    await assertAlone(tx, target, mover);
    await writeMove(tx, record);
    const details = { from: source.words, to: target.words, release: RELEASE };
    await recordInAudit(tx, await policyVersion(tx), details);
  });
}
