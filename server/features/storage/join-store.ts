import type { Storage } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../platform/ids.ts';
import { compare } from './compare.ts';
import { mismatchSentence, StoreMismatchError } from './errors.ts';
import { documentNames, findNamed, inBatches } from './named.ts';
import type { DocumentOwner } from './port.ts';
import {
  addInstallation,
  findInstallation,
  hasTables,
  raiseGeneration,
  replaceInstallation,
  storedInstallation,
} from './store.ts';
import type { Installation, Mismatch } from './types.ts';

interface StoreAndDocuments {
  readonly storage: Storage;
  readonly owners: readonly DocumentOwner[];
  readonly database: 'sqlite' | 'postgres';
  /** Other gateways may use the store at the same time. */
  readonly severalGateways: boolean;
}

/**
 * Returns the reason why a store and the stored documents do not belong together, and changes neither; null when they
 * do. `db` is null for a store that does not exist yet. Throws NewerStoreError.
 */
export async function findMismatch(
  { storage, owners, database, severalGateways }: StoreAndDocuments,
  db: Database | null,
): Promise<Mismatch | null> {
  const filled = db !== null && (await hasTables(db)) ? db : null;
  const mark = await storage.readMark();
  const installation = filled && (await storedInstallation(filled));
  return compare({
    database,
    installation,
    mark,
    sharesBucket: severalGateways && (installation?.bucket ?? null) !== null,
    hasDocuments: mark?.bucket !== undefined || (await hasDocuments(storage, owners)),
    namesDocuments: async () => {
      for (const { hasAny } of owners) if (filled !== null && (await hasAny(filled.read))) return true;
      return false;
    },
    namesTheseDocuments: async () => {
      if (filled === null) return false;
      for await (const names of inBatches(documentNames(storage, owners)))
        if ((await findNamed(owners, filled.read, names)).size > 0) return true;
      return false;
    },
  });
}

/** Throws StoreMismatchError with what a person can do. `store` is its name in words. */
export async function refuseMismatch(mismatch: Mismatch, storage: Storage, store: string): Promise<never> {
  const mark = await storage.readMark();
  const folder = storage.root ?? 'the storage';
  throw new StoreMismatchError(mismatchSentence(mismatch, { folder, store, mark }));
}

/**
 * Moves the documents that no row names to a place of their own, called `name`. Returns it; null when there are none.
 */
export async function setUnnamedAside(
  { storage, owners }: StoreAndDocuments,
  db: Database,
  name: string,
): Promise<string | null> {
  const isFilled = await hasTables(db);
  const unnamed: string[] = [];
  for await (const names of inBatches(documentNames(storage, owners))) {
    const named = isFilled ? await findNamed(owners, db.read, names) : new Set<string>();
    unnamed.push(...names.filter((each) => !named.has(each)));
  }
  return storage.setAside(unnamed, name);
}

/**
 * Gives a migrated store and its documents one id, unless they have it, and raises their generation. `isFresh` gives both a
 * new id, so that another gateway on the store notices.
 */
export async function joinStore(
  { storage, database }: Pick<StoreAndDocuments, 'storage' | 'database'>,
  db: Database,
  { isFresh }: { isFresh: boolean },
): Promise<void> {
  const mark = await storage.readMark();
  const known = await findInstallation(db.read);
  if (known === null || isFresh) {
    const fresh = { id: newId(), replaces: mark?.installation ?? null };
    await db.transaction((tx) => (isFresh ? replaceInstallation(tx, fresh) : addInstallation(tx, fresh)));
  }
  const { id, generation, bucket } = await installationOf(db);
  if (mark?.installation !== id)
    await storage.writeMark({
      installation: id,
      generation,
      database,
      ...(bucket === null ? {} : { bucket }),
    });
  await advance(db, storage);
}

/**
 * Raises the generation of a store and its documents, the store first. Returns their state before: `together`; `behind`
 * when the store was ahead, as after a kill between both, or where another gateway of the store has documents of its
 * own; and `apart`, with nothing changed, when the folder is gone or the store was joined to other documents.
 */
export async function advance(db: Database, storage: Storage): Promise<'together' | 'behind' | 'apart'> {
  const seen = await installationOf(db);
  const mark = await storage.readMark();
  if (mark?.installation !== seen.id) return 'apart';
  const bucket = mark.bucket ?? null;
  const isBehind = mark.generation < seen.generation;
  // Completes an interrupted advance: the mark is never more than one generation behind.
  if (isBehind) await storage.writeMark({ ...mark, generation: seen.generation });
  const to = Math.max(seen.generation, mark.generation) + 1;
  const isRaised = await db.transaction((tx) => raiseGeneration(tx, { seen, to, bucket }));
  if (isRaised) await storage.writeMark({ ...mark, generation: to });
  // Gateways with folders of their own raise it in turns, while their documents are in one bucket.
  return isBehind && (bucket === null || bucket !== seen.bucket) ? 'behind' : 'together';
}

async function installationOf(db: Database): Promise<Installation> {
  const found = await findInstallation(db.read);
  if (found === null) throw new Error('the store belongs to no installation');
  return found;
}

/** Returns true when documents are in the folder itself. */
export async function hasDocuments(storage: Storage, owners: readonly DocumentOwner[]): Promise<boolean> {
  for (const { prefix } of owners) if (await storage.hasNames(prefix)) return true;
  return false;
}
