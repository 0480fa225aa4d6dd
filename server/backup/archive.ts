import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { StorageNameError, storageSegments } from '../adapters/storage/port.ts';
import type { AgeIdentity } from '../platform/age/keys.ts';
import { type BlockReader, createBlockReader } from '../platform/block-reader.ts';
import { errorCode } from '../platform/errors.ts';
import { createNameSet } from '../platform/name-set.ts';
import { openZip, readEntry } from '../platform/zip-reader.ts';
import { type BackupFile, openBackupFile } from './backup-file.ts';
import { checkMark } from './completeness-mark.ts';
import { BackupError, DamagedBackupError } from './errors.ts';
import {
  fileNameOf,
  KEY_NAMES,
  keyEntry,
  MANIFEST_NAME,
  type Manifest,
  type ManifestEntry,
  readManifest,
  readManifestEntry,
  tableEntry,
} from './manifest.ts';
import { MAX_ENTRY_BYTES, MAX_FACTS_BYTES, scanManifest } from './manifest-scan.ts';

/** Tables and keys, of which some hundred are expected. */
const MAX_PARTS = 10_000;

interface ArchiveChecks {
  readonly release: string;
  readonly migrations: readonly string[];
  /** Identities that may open an encrypted backup. */
  readonly identities?: readonly AgeIdentity[] | null;
  readonly onProgress?: (step: { bytes: number }) => void;
}

/** Entry of the manifest, with its content in the archive. */
interface ArchiveMember extends ManifestEntry {
  read(): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Throws DamagedBackupError, SealedBackupError, NewerBackupError, or BackupError when there is no such file. Close it
 * afterwards.
 */
export async function openArchive(path: string, checks: ArchiveChecks): Promise<Archive> {
  const file = await openBackupFile(path, checks.identities ?? null).catch(refuseMissing);
  try {
    await checkMark(file, (bytes) => checks.onProgress?.({ bytes })).catch(refuseMissing);
    const blocks = createBlockReader(file);
    const zip = await openZip(file, blocks).catch(refuseDamaged);
    const parts = await partsOf(zip).catch(refuseDamaged);
    const manifest = await readFacts(zip, parts).catch(refuseDamaged);
    const archive = new Archive(readManifest(manifest, checks), { file, blocks, zip, parts });
    await archive.check(checks);
    return archive;
  } catch (error) {
    await file.close();
    throw error;
  }
}

export type { Archive };

/**
 * A backup of which every byte was compared with its manifest. Tables and keys are opened by their name. Documents, of which there may be
 * millions, are read in the order in which they are written, and none of them stays in memory.
 */
class Archive {
  readonly manifest: Manifest;
  /** Number of documents. */
  documents = 0;
  readonly #file: BackupFile;
  readonly #blocks: BlockReader;
  readonly #zip: ZipFile;
  readonly #parts: ReadonlyMap<string, Entry>;

  constructor(
    manifest: Manifest,
    archive: {
      readonly file: BackupFile;
      readonly blocks: BlockReader;
      readonly zip: ZipFile;
      readonly parts: ReadonlyMap<string, Entry>;
    },
  ) {
    this.manifest = manifest;
    this.#file = archive.file;
    this.#blocks = archive.blocks;
    this.#zip = archive.zip;
    this.#parts = archive.parts;
  }

  /** Throws DamagedBackupError when a byte differs from what the manifest says. */
  async check(checks: ArchiveChecks): Promise<void> {
    const allowed = new Set<string>(this.manifest.tables.map(({ name }) => tableEntry(name)));
    if ([...allowed].some((name) => !this.has(name))) throw new DamagedBackupError(NOT_THE_SAME);
    for (const name of KEY_NAMES) allowed.add(keyEntry(name));
    const names = createNameSet();
    for await (const member of this.members()) {
      if (!names.add(member.name)) throw new DamagedBackupError('it contains a name twice');
      const document = fileNameOf(member.name);
      if (!allowed.has(member.name) && !isStorageName(document))
        throw new DamagedBackupError('it contains a file that does not belong in a backup');
      await checkMember(member, checks);
      if (document !== null) this.documents += 1;
    }
  }

  /** Closes the file itself: the reader of zips keeps it open after an entry that could not be read to its end. */
  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Returns true for a table or a key that the backup has. */
  has(name: string): boolean {
    return this.#parts.has(name);
  }

  /** Opens a table or a key. Throws DamagedBackupError for one that is missing. */
  stream(name: string): Promise<Readable> {
    const entry = this.#parts.get(name);
    if (!entry) throw new DamagedBackupError(`${name} is missing`);
    return this.#zip.openReadStreamPromise(entry);
  }

  /**
   * Yields every entry of the manifest with its content, which is read before the next one is requested. Throws DamagedBackupError where the
   * archive does not have the same files in the same order.
   */
  async *members(): AsyncGenerator<ArchiveMember> {
    const zip = await openZip(this.#file, this.#blocks);
    const lines = scanManifest(this.#manifestBytes());
    try {
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName === MANIFEST_NAME) continue;
        const line = await lines.next();
        const named = line.done ? null : readManifestEntry(line.value);
        if (named?.name !== entry.fileName) throw new DamagedBackupError(NOT_THE_SAME);
        yield { ...named, read: () => readEntry(zip, entry, this.#blocks) };
      }
      if (!(await lines.next()).done) throw new DamagedBackupError(NOT_THE_SAME);
    } catch (error) {
      refuseDamaged(error);
    } finally {
      await lines.return(undefined);
    }
  }

  /** Opens the manifest when its first byte is requested: from then on its errors have a reader. */
  async *#manifestBytes(): AsyncGenerator<Uint8Array> {
    yield* await this.stream(MANIFEST_NAME);
  }

  /** Yields the documents by their names in the storage, as `members` does. */
  async *files(): AsyncGenerator<ArchiveMember> {
    for await (const member of this.members()) {
      const name = fileNameOf(member.name);
      if (name !== null) yield { ...member, name };
    }
  }

  /** Yields the rows of a table, in the order of the backup. Throws DamagedBackupError for a line that is no row. */
  async *rows(table: string): AsyncIterable<Record<string, unknown>> {
    const input = await this.stream(tableEntry(table));
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      yield rowOf(line, table);
  }
}

const NOT_THE_SAME = 'its content does not match its manifest';

async function checkMember(member: ArchiveMember, checks: ArchiveChecks): Promise<void> {
  const hash = createHash('sha256');
  let read = 0;
  try {
    for await (const chunk of await member.read()) {
      hash.update(chunk);
      read += chunk.length;
      if (read > member.size) break;
      checks.onProgress?.({ bytes: chunk.length });
    }
  } catch (error) {
    refuseDamaged(error);
  }
  if (read !== member.size || hash.digest('hex') !== member.sha256)
    throw new DamagedBackupError(`${member.name} was changed`);
}

/** Returns the entries that are no documents. */
async function partsOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (fileNameOf(entry.fileName) !== null) continue;
    if (parts.has(entry.fileName)) throw new DamagedBackupError('it contains a name twice');
    parts.set(entry.fileName, entry);
    if (parts.size > MAX_PARTS) throw new DamagedBackupError(NOT_THE_SAME);
  }
  return parts;
}

/** Returns the manifest without its entries. */
async function readFacts(zip: ZipFile, parts: ReadonlyMap<string, Entry>): Promise<string> {
  const entry = parts.get(MANIFEST_NAME);
  if (!entry || entry.uncompressedSize > MAX_FACTS_BYTES + zip.entryCount * MAX_ENTRY_BYTES)
    throw new DamagedBackupError('it has no manifest');
  const read = { rest: '' };
  const lines = scanManifest(await zip.openReadStreamPromise(entry), (rest) => (read.rest = rest));
  // The entries are compared with the archive afterwards.
  while (!(await lines.next()).done);
  return read.rest;
}

function rowOf(line: string, table: string): Record<string, unknown> {
  const value = parseJson(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DamagedBackupError(`${table} has a row that cannot be read`);
  return value as Record<string, unknown>;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isStorageName(name: string | null): boolean {
  try {
    return name !== null && storageSegments(name).length > 0;
  } catch (error) {
    if (error instanceof StorageNameError) return false;
    throw error;
  }
}

function refuseDamaged(error: unknown): never {
  if (error instanceof BackupError) throw error;
  throw new DamagedBackupError('it cannot be read', { cause: error });
}

function refuseMissing(error: unknown): never {
  if (!['ENOENT', 'EACCES', 'EISDIR'].includes(errorCode(error))) throw error;
  throw new BackupError('The backup file cannot be opened; nothing was changed.', { cause: error });
}
