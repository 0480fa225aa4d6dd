import type { Storage } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import { joinStore } from './join-store.ts';

/** Gives a store and documents that were filled from a backup an id that no other has, so that they belong together. */
export async function joinRestored(db: Database, storage: Storage): Promise<void> {
  await joinStore({ storage, database: db.capabilities.name }, db, { isFresh: true });
}
