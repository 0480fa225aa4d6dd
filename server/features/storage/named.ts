import type { Storage } from '../../adapters/storage/port.ts';
import type { ReadDb } from '../../db/database.ts';
import type { DocumentOwner } from './port.ts';

const BATCH = 500;

/** Returns those of the names that belong to a row of their owner. */
export async function findNamed(
  owners: readonly DocumentOwner[],
  db: ReadDb,
  names: readonly string[],
): Promise<Set<string>> {
  const named = new Set<string>();
  for (const { prefix, findKept } of owners) {
    const own = names.filter((name) => name.startsWith(prefix));
    if (own.length > 0) for (const name of await findKept(db, own)) named.add(name);
  }
  return named;
}

/** The names of the documents of all owners; what else lies in the folder is none. */
export async function* documentNames(
  storage: Storage,
  owners: readonly DocumentOwner[],
): AsyncGenerator<string> {
  for (const { prefix } of owners) yield* storage.names(prefix);
}

/** Things in batches that one query takes. */
export async function* inBatches<T>(things: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const thing of things) {
    if (batch.push(thing) < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
