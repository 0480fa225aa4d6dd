import { open } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';

/** Overwrites the first page of a table or index in the database file of a data folder, as a failing disk does. */
export async function damageTable(dataFolder: string, table: string): Promise<void> {
  const path = join(dataFolder, 'faxdesk.sqlite');
  const { offset, size } = placeOf(path, table);
  await overwrite(path, offset, size);
}

/** Overwrites the header that identifies the file of a data folder as a database. */
export async function damageHeader(dataFolder: string): Promise<void> {
  await overwrite(join(dataFolder, 'faxdesk.sqlite'), 0, 64);
}

function placeOf(path: string, table: string): { offset: number; size: number } {
  const store = new BetterSqlite(path);
  try {
    // A page in the write-ahead log would be read instead.
    store.pragma('wal_checkpoint(TRUNCATE)');
    const size = store.pragma('page_size', { simple: true }) as number;
    const page = store.prepare('select rootpage from sqlite_schema where name = ?').pluck().get(table);
    return { offset: (Number(page) - 1) * size, size };
  } finally {
    store.close();
  }
}

async function overwrite(path: string, offset: number, size: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(size, 0xa7), 0, size, offset);
  await file.close();
}
