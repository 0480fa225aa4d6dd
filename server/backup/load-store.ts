import type { Database, WriteTx } from '../db/database.ts';
import { migrations } from '../db/migrations/index.ts';
import { migrate } from '../db/migrator.ts';
import { emptyTable, insertRows } from '../db/staging.ts';
import { tablesInOrder } from '../db/table-order.ts';
import { errorCode } from '../platform/errors.ts';
import type { Archive } from './archive.ts';
import { DamagedBackupError } from './errors.ts';

const BATCH = 500;

/**
 * Fills an empty store: the shape of the backup's release first, then its rows, then the steps to this release, then
 * what makes the rows safe to work with. Answers what `settle` answers.
 */
export async function loadStore<T>(
  db: Database,
  archive: Archive,
  settle: (tx: WriteTx) => Promise<T>,
  onRows: (count: number) => void = () => undefined,
): Promise<T> {
  const { manifest } = archive;
  const done = new Set(manifest.migrations);
  await migrate(
    db.unrestricted as never,
    migrations.filter((step) => done.has(step.name)),
  );
  await db.transaction(async (tx) => {
    for (const table of (await tablesInOrder(tx as never, db.capabilities)).reverse())
      await emptyTable(tx, table);
    for (const { name, rows } of manifest.tables) await loadTable(tx, archive, { name, rows, onRows });
  });
  await migrate(db.unrestricted as never);
  return db.transaction(settle).catch(refuseRecords);
}

async function loadTable(
  tx: WriteTx,
  archive: Archive,
  table: { name: string; rows: number; onRows: (count: number) => void },
): Promise<void> {
  let batch: Record<string, unknown>[] = [];
  let count = 0;
  const flush = async () => {
    await insertRows(tx, table.name, batch).catch((error: unknown) => refuseRow(error, table.name));
    table.onRows(batch.length);
    batch = [];
  };
  for await (const row of archive.rows(table.name)) {
    count += 1;
    if (batch.push(row) === BATCH) await flush();
  }
  await flush();
  if (count !== table.rows) throw new DamagedBackupError(`${table.name} has another number of rows`);
}

/** Rows that a database does not take, by the codes of SQLite and PostgreSQL; 42501 is a lack of permission. */
const ROW_REFUSED = /^(?:SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG)|22|23|42(?!501))/u;

/** Throws DamagedBackupError for values that no release writes, such as a state that there is not. */
function refuseRecords(error: unknown): never {
  if (!(error instanceof TypeError)) throw error;
  throw new DamagedBackupError('its records do not fit together', { cause: error });
}

/** Throws DamagedBackupError for a row that does not fit its table, and any other error as it is. */
function refuseRow(error: unknown, table: string): never {
  // The driver of SQLite throws a TypeError for a value that is of no type of the database.
  if (error instanceof TypeError || ROW_REFUSED.test(errorCode(error)))
    throw new DamagedBackupError(`${table} has a row that does not fit`, { cause: error });
  throw error;
}
