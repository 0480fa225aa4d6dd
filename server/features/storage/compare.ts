import type { StorageMark } from '../../adapters/storage/port.ts';
import type { Installation, Mismatch } from './types.ts';

/** State of a store and of the documents of a folder; slow searches run only where they decide. */
export interface Compared {
  readonly database: 'sqlite' | 'postgres';
  /** Null when the store has no installation yet. */
  readonly installation: Installation | null;
  readonly mark: StorageMark | null;
  readonly hasDocuments: boolean;
  /** Returns true when rows of the store name documents. */
  namesDocuments(): Promise<boolean>;
  /** Returns true when rows of the store name documents of the folder. */
  namesTheseDocuments(): Promise<boolean>;
}

/**
 * Returns the reason why they do not belong together; null when they do. A kill at any moment of joining or raising the
 * generation leaves them matching: the store is written first, so it is at most one generation ahead of the mark.
 */
export async function compare(compared: Compared): Promise<Mismatch | null> {
  const { installation, mark } = compared;
  // The gateway was killed before it wrote the installation to the storage.
  if (installation?.generation === 0 && installation.replaces === (mark?.installation ?? null)) return null;
  if (mark === null) return compareUnmarked(compared);
  if (installation === null) return compareUnknown(compared, mark);
  return installation.id === mark.installation
    ? compareGenerations(compared, installation, mark)
    : compareForeign(compared);
}

/** Compares documents without a mark of their installation. */
async function compareUnmarked(compared: Compared): Promise<Mismatch | null> {
  const { database, installation, hasDocuments } = compared;
  const isNamed = hasDocuments && (await compared.namesTheseDocuments());
  // The store was joined to a folder, and it was not this one: a gateway that had one of its own may have stored here what it names.
  if (database === 'postgres' && installation !== null)
    return hasDocuments && !isNamed ? 'another' : 'elsewhere';
  if (hasDocuments && !isNamed)
    return installation !== null || (await compared.namesDocuments()) ? 'another' : 'new';
  // Its disk may not be connected.
  const isMissing = !hasDocuments && installation !== null && (await compared.namesDocuments());
  return isMissing ? 'elsewhere' : null;
}

/** Compares a store without an installation and a storage that has one. */
async function compareUnknown(compared: Compared, mark: StorageMark): Promise<Mismatch | null> {
  const { database, hasDocuments } = compared;
  if (hasDocuments) return (await compared.namesDocuments()) ? 'older' : 'new';
  // The database was probably not named: nothing is lost yet, but the folder would be in use by two stores in turn.
  return mark.database === 'postgres' && database === 'sqlite' ? 'new' : null;
}

function compareGenerations(
  { database, hasDocuments }: Compared,
  installation: Installation,
  mark: StorageMark,
): Mismatch | null {
  if (installation.generation < mark.generation) return hasDocuments ? 'older' : null;
  // With SQLite an older copy of the documents can only have been put there on purpose; with PostgreSQL it may be a second one.
  return database === 'postgres' && installation.generation > mark.generation + 1 ? 'elsewhere' : null;
}

async function compareForeign(compared: Compared): Promise<Mismatch | null> {
  if (compared.hasDocuments) return 'another';
  return compared.database === 'postgres' || (await compared.namesDocuments()) ? 'elsewhere' : null;
}
