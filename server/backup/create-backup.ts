import { setImmediate } from 'node:timers/promises';
import { type Storage, StorageMissingError } from '../adapters/storage/port.ts';
import { type Snapshot, type StoredRow, type StoreLocation, withSnapshot } from '../db/snapshot.ts';
import { type Clock, isoTime } from '../platform/clock.ts';
import { replaceDurably } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import {
  joinedProofs,
  KEY_PROOF_TABLE,
  type KeyState,
  keyDigest,
  keyStateOf,
} from '../platform/key-state.ts';
import { createNameSet } from '../platform/name-set.ts';
import { createPackedTexts, type PackedTexts } from '../platform/packed-bytes.ts';
import { type StoreTrouble, storeTroubleOf } from '../platform/store-trouble.ts';
import { type ArchiveWriter, createArchiveWriter } from './archive-writer.ts';
import { BackupError } from './errors.ts';
import {
  FORMAT,
  fileEntry,
  type KeyName,
  keyEntry,
  type Manifest,
  type ManifestEntry,
  tableEntry,
} from './manifest.ts';

export interface BackupSource {
  readonly store: StoreLocation;
  readonly storage: Storage;
  /** The key files as they are to be written back. */
  readonly keys: Readonly<Partial<Record<KeyName, Uint8Array>>>;
  /** Returns false when the installation has another data key by now, besides those in `keys`. */
  readonly hasEveryKey: () => Promise<boolean>;
}

interface BackupParts {
  readonly release: string;
  readonly clock: Clock;
  /** Public keys for which it is encrypted; empty for a plain one. */
  readonly recipients: readonly Uint8Array[];
  /** Called often; `bytes` is 0 while rows are read. */
  readonly onProgress?: (step: { what: 'rows' | 'files'; count: number }) => void;
  /** Called once everything is in it, before it takes the name; what it throws leaves an older file there. */
  readonly onFilled?: (
    made: Pick<BackupSummary, 'key' | 'keyDigest' | 'sizeBytes'> & { entries: Iterable<ManifestEntry> },
  ) => Promise<void> | void;
  /** Ends it early; it then throws the signal's reason and leaves nothing behind. */
  readonly signal?: AbortSignal;
}

export interface BackupSummary {
  readonly sizeBytes: number;
  /** Of the whole file. */
  readonly sha256: string;
  readonly rows: number;
  readonly files: number;
  /** Address of the bucket, and the number of documents that stay in it; null where there is no bucket. */
  readonly bucket: { readonly address: string; readonly documents: number } | null;
  /** Documents that its rows name and that it lacks, beside those of the bucket. */
  readonly missing: readonly string[];
  /** Those of them that rows still name: no cleanup removed them meanwhile. */
  readonly lost: readonly string[];
  readonly key: KeyState;
  /** Tells its data key apart from others; null without one. */
  readonly keyDigest: string | null;
}

const KEY_CHANGED =
  'The data key began to be replaced while the backup was being made, so no backup was written. Make it again.';

/** Columns that name stored documents. */
const DOCUMENT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  fax_job: ['artifact'],
  inbound_fax: ['document'],
};
const HALF_MOVED =
  'An installation is being moved to this database, and not all of it has arrived, so no backup was written. Run faxdesk move again to finish the move.';
/** Names after which requests get their turn. */
const NAMES_AT_ONCE = 500;
/** Text per piece handed to the archive. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Writes store, documents and keys to `file`, while the gateway runs or not: the rows of one moment first, then the
 * documents, of which one may have been cleaned up meanwhile. An older file of that name is replaced only by a whole
 * new one. Throws BackupError.
 */
export async function createBackup(
  source: BackupSource,
  file: string,
  parts: BackupParts,
): Promise<BackupSummary> {
  let summary: BackupSummary | null = null;
  await replaceDurably(file, 0o600, async (handle) => {
    const archive = createArchiveWriter(handle, {
      madeAt: new Date(parts.clock.now()),
      recipients: parts.recipients,
    });
    try {
      summary = await fill(archive, source, parts);
    } catch (error) {
      await archive.abandon();
      throw error;
    }
  }).catch((error: unknown) => {
    throw asBackupError(error);
  });
  if (summary === null) throw new Error('a backup ended before it was filled');
  return summary;
}

async function fill(archive: ArchiveWriter, source: BackupSource, parts: BackupParts) {
  const createdAt = isoTime(parts.clock.now());
  const { facts, documents, proof } = await withSnapshot(source.store, async (snapshot) => {
    if (snapshot.migrations.length === 0)
      throw new BackupError('There is nothing to back up yet: the database is empty.');
    return addTables(archive, snapshot, parts);
  });
  const { files, absent } = await addFiles(archive, source.storage, { documents, parts });
  const { missing, bucket } = await placeAbsent(source, absent);
  if (!(await source.hasEveryKey())) throw new BackupError(KEY_CHANGED);
  for (const [name, content] of Object.entries(source.keys))
    await archive.add(keyEntry(name as KeyName), [content], { compress: false });
  const manifest: Manifest = {
    product: 'faxdesk',
    format: FORMAT,
    release: parts.release,
    created_at: createdAt,
    ...facts,
    missing,
    ...(bucket === null ? {} : { bucket }),
  };
  const sha256 = await archive.finish(manifest);
  const rows = facts.tables.reduce((sum, table) => sum + table.rows, 0);
  const lost = await listReferenced(source.store, missing);
  const keyFile = source.keys['data.key'] ?? null;
  const key = keyStateOf(keyFile, proof);
  const made = { key, keyDigest: keyDigest(keyFile), sizeBytes: archive.sizeBytes };
  await parts.onFilled?.({ ...made, entries: archive.entries() });
  return { sha256, rows, files, bucket, missing, lost, ...made };
}

async function addTables(archive: ArchiveWriter, snapshot: Snapshot, parts: BackupParts) {
  const tables: Manifest['tables'] = [];
  const documents = createStoredNames();
  let proof: string | null = null;
  for (const name of snapshot.tables) {
    const counter = { rows: 0 };
    const seen = (row: StoredRow) => {
      parts.signal?.throwIfAborted();
      counter.rows += 1;
      for (const column of DOCUMENT_COLUMNS[name] ?? [])
        if (typeof row[column] === 'string') documents.add(row[column]);
      if (name === 'store_move' && row['state'] === 'arriving') throw new BackupError(HALF_MOVED);
      if (name === KEY_PROOF_TABLE) proof = joinedProofs(row);
      if (counter.rows % 1000 === 0) parts.onProgress?.({ what: 'rows', count: 1000 });
    };
    await archive.add(tableEntry(name), linesOf(snapshot.rows(name), seen), { compress: true });
    tables.push({ name, rows: counter.rows });
  }
  const { database, migrations } = snapshot;
  return {
    facts: { database, migrations: [...migrations], tables },
    documents,
    proof: proof as string | null,
  };
}

/** Those of the documents that rows name by now. */
async function listReferenced(store: StoreLocation, documents: readonly string[]): Promise<string[]> {
  if (documents.length === 0) return [];
  const wanted = new Set(documents);
  const named = new Set<string>();
  await withSnapshot(store, async (snapshot) => {
    for (const [table, columns] of Object.entries(DOCUMENT_COLUMNS))
      for await (const row of snapshot.rows(table))
        for (const value of columns.map((column) => row[column]))
          if (typeof value === 'string' && wanted.has(value)) named.add(value);
  });
  return documents.filter((name) => named.has(name));
}

async function* linesOf(
  rows: AsyncIterable<StoredRow>,
  seen: (row: StoredRow) => void,
): AsyncIterable<Buffer> {
  let text = '';
  for await (const row of rows) {
    seen(row);
    text += `${JSON.stringify(row)}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/** Documents that are not in the folder of an installation with a bucket are in the bucket, which has its own copies. */
async function placeAbsent(
  { storage }: Pick<BackupSource, 'storage'>,
  absent: PackedTexts,
): Promise<Pick<BackupSummary, 'bucket'> & { missing: string[] }> {
  const address = (await storage.readMark())?.bucket;
  if (address === undefined) return { missing: [...absent.read()], bucket: null };
  return { missing: [], bucket: { address, documents: absent.count } };
}

/** Names of documents, each once. */
interface StoredNames {
  add(name: string): void;
  readonly list: PackedTexts;
}

function createStoredNames(): StoredNames {
  const list = createPackedTexts();
  const names = createNameSet();
  const add = (name: string) => {
    if (names.add(name)) list.add(name);
  };
  return { add, list };
}

/** Adds every stored document, those that rows name first. Returns the number of these and the named ones that are gone. */
async function addFiles(
  archive: ArchiveWriter,
  storage: Storage,
  { documents, parts }: { documents: StoredNames; parts: BackupParts },
): Promise<{ files: number; absent: PackedTexts }> {
  const absent = createPackedTexts();
  const named = documents.list.count;
  let listed = 0;
  for await (const name of storage.names('')) {
    documents.add(name);
    listed += 1;
    if (listed % NAMES_AT_ONCE === 0) await setImmediate();
  }
  let looked = 0;
  let files = 0;
  for (const name of documents.list.read()) {
    parts.signal?.throwIfAborted();
    const found = await openStored(storage, name);
    looked += 1;
    // PDF pages are compressed already.
    if (found) await archive.add(fileEntry(name), found, { compress: false });
    if (found) files += 1;
    else if (looked <= named) absent.add(name);
    parts.onProgress?.({ what: 'files', count: 1 });
  }
  return { files, absent };
}

async function openStored(storage: Storage, name: string): Promise<AsyncIterable<Uint8Array> | null> {
  try {
    return (await storage.open(name)).stream;
  } catch (error) {
    if (error instanceof StorageMissingError) return null;
    throw error;
  }
}

/** Sentences for store trouble that prevents a backup. */
const TROUBLE_SENTENCES: Readonly<Record<StoreTrouble, string>> = {
  damaged:
    'The database is damaged, so no backup was written: it could not be restored. Restore an older backup.',
  'read-only': 'The backup cannot be written there: Faxdesk does not have permission.',
  full: 'The disk is full; no backup was written.',
  failing: 'A disk reports errors; no backup was written.',
};

/** Maps the error of a backup that was not made to a BackupError; others stay as they are. */
export function asBackupError(error: unknown): unknown {
  const code = errorCode(error);
  if (code === 'SQLITE_CANTOPEN')
    return new BackupError('There is nothing to back up: no database was found in the data folder.', {
      cause: error,
    });
  const trouble = storeTroubleOf(error);
  if (trouble !== null) return new BackupError(TROUBLE_SENTENCES[trouble], { cause: error });
  switch (code) {
    case 'ENOENT':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'EISDIR':
      return new BackupError(`The backup cannot be written there (${code}).`, { cause: error });
    default:
      return error;
  }
}
