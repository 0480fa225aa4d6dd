import { join } from 'node:path';
import { STORE_FILE } from './backup/data-folder.ts';
import type { BootOptions } from './config/boot.ts';
import type { Database } from './db/database.ts';
import { createStoreCheck, type StoreCheck } from './db/store-check.ts';
import type { Clock } from './platform/clock.ts';
import type { Logger } from './platform/logger.ts';

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
    logger.error(facts, 'the database is damaged: nothing is written to it any more; restore a backup');
  });
  if (db.capabilities.name === 'postgres' || !checkStore) return null;
  const sqliteFile = join(boot.dataFolder, STORE_FILE);
  const notesFile = join(boot.dataFolder, 'store-check.json');
  return createStoreCheck({ sqliteFile, notesFile, damage: db.damage, clock, logger });
}
