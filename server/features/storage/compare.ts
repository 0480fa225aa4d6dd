import type { StorageMark } from '../../adapters/storage/port.ts';
import type { Installation, Mismatch } from './types.ts';

/** State of a store and of the documents of a folder; slow searches run only where they decide. */
interface ComparisonInput {
  readonly database: 'sqlite' | 'postgres';
  /** Null when the store has no installation yet. */
  readonly installation: Installation | null;
  readonly mark: StorageMark | null;
  readonly hasDocuments: boolean;
  /** Several gateways with folders of their own may use the store, as its documents are in a bucket. */
  readonly sharesBucket: boolean;
  /** Returns true when rows of the store name documents. */
  namesDocuments(): Promise<boolean>;
  /** Returns true when rows of the store name documents of the folder. */
  namesTheseDocuments(): Promise<boolean>;
}

/**
 * Returns the reason why they do not belong together; null when they do. A kill at any moment of joining or raising the
 * generation leaves them matching: the store is written first, so it is at most one generation ahead of the mark.
 */
export async function compare(input: ComparisonInput): Promise<Mismatch | null> {
  const { installation, mark } = input;
  // The gateway was killed before it wrote the installation to the storage.
  if (installation?.generation === 0 && installation.replaces === (mark?.installation ?? null)) return null;
  if (mark === null) return compareUnmarked(input);
  if (installation === null) return compareUnknown(input, mark);
  return installation.id === mark.installation
    ? compareGenerations(input, installation, mark)
    : compareForeign(input);
}

/** Compares documents without a mark of their installation. */
async function compareUnmarked(input: ComparisonInput): Promise<Mismatch | null> {
  const { database, installation, hasDocuments } = input;
  // A further gateway, with an empty folder.
  if (input.sharesBucket && !hasDocuments) return null;
  const isNamed = hasDocuments && (await input.namesTheseDocuments());
  // The store was joined to a folder, and it was not this one: a gateway that had one of its own may have stored here what it names.
  if (database === 'postgres' && installation !== null)
    return hasDocuments && !isNamed ? 'another' : 'elsewhere';
  if (hasDocuments && !isNamed)
    return installation !== null || (await input.namesDocuments()) ? 'another' : 'new';
  // Its disk may not be connected.
  const isMissing = !hasDocuments && installation !== null && (await input.namesDocuments());
  return isMissing ? 'elsewhere' : null;
}

/** Compares a store without an installation and a storage that has one. */
async function compareUnknown(input: ComparisonInput, mark: StorageMark): Promise<Mismatch | null> {
  const { database, hasDocuments } = input;
  if (hasDocuments) return (await input.namesDocuments()) ? 'older' : 'new';
  // The database was probably not named: nothing is lost yet, but the folder would be in use by two stores in turn.
  return mark.database === 'postgres' && database === 'sqlite' ? 'new' : null;
}

function compareGenerations(
  { database, hasDocuments }: ComparisonInput,
  installation: Installation,
  mark: StorageMark,
): Mismatch | null {
  if (installation.generation < mark.generation) return hasDocuments ? 'older' : null;
  // Each gateway has a mark of its own, which is behind while another one raises the generation.
  if (installation.bucket !== null && mark.bucket === installation.bucket) return null;
  // With SQLite an older copy of the documents can only have been put there on purpose; with PostgreSQL it may be a second one.
  return database === 'postgres' && installation.generation > mark.generation + 1 ? 'elsewhere' : null;
}

async function compareForeign(input: ComparisonInput): Promise<Mismatch | null> {
  if (input.hasDocuments) return 'another';
  return input.database === 'postgres' || (await input.namesDocuments()) ? 'elsewhere' : null;
}
