import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Bytes that the store takes on its disk. */
export async function storeSize(db: Database, sqliteFile: string): Promise<number> {
  if (db.capabilities.name === 'postgres') {
    const query = sql<{ size: number }>`select pg_database_size(current_database()) as size`;
    return (await query.execute(db.unrestricted)).rows[0]?.size ?? 0;
  }
  const files = [sqliteFile, `${sqliteFile}-wal`];
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
