import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text as textOfStream } from 'node:stream/consumers';
import type { Entry, ZipFile } from 'yauzl';
import { StorageNameError, storageSegments } from '../adapters/storage/port.ts';
import type { AgeIdentity } from '../platform/age/keys.ts';
import { errorCode } from '../platform/errors.ts';
import { type BackupFile, openBackupFile, openZip } from './backup-file.ts';
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
  tableEntry,
} from './manifest.ts';

const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

interface ArchiveChecks {
  readonly release: string;
  readonly migrations: readonly string[];
  /** Identities that may open an encrypted backup. */
  readonly identities?: readonly AgeIdentity[] | null;
  readonly onProgress?: (step: { bytes: number }) => void;
}

/**
 * Throws DamagedBackupError, SealedBackupError, NewerBackupError, or BackupError when there is no such file. Close it
 * afterwards.
 */
export async function openArchive(path: string, checks: ArchiveChecks): Promise<Archive> {
  const file = await openBackupFile(path, checks.identities ?? null).catch(refuseMissing);
  try {
    await checkMark(file, (bytes) => checks.onProgress?.({ bytes })).catch(refuseMissing);
    const zip = await openZip(file).catch(refuseDamaged);
    const entries = await entriesOf(zip).catch(refuseDamaged);
    const manifest = await manifestOf(zip, entries, checks);
    const archive = new Archive(manifest, { file, zip, entries });
    await archive.check(checks);
    return archive;
  } catch (error) {
    await file.close();
    throw error;
  }
}

export type { Archive };

/** A backup of which every byte was compared with its manifest. */
class Archive {
  readonly manifest: Manifest;
  readonly #file: BackupFile;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  constructor(
    manifest: Manifest,
    {
      file,
      zip,
      entries,
    }: { readonly file: BackupFile; readonly zip: ZipFile; readonly entries: ReadonlyMap<string, Entry> },
  ) {
    this.manifest = manifest;
    this.#file = file;
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Throws DamagedBackupError when a byte differs from what the manifest says. */
  async check(checks: ArchiveChecks): Promise<void> {
    this.#checkNames();
    for (const entry of this.manifest.entries) await this.#checkEntry(entry, checks);
  }

  /** Closes the file itself: the reader of zips keeps it open after an entry that could not be read to its end. */
  async close(): Promise<void> {
    await this.#file.close();
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  stream(name: string): Promise<Readable> {
    const entry = this.#entries.get(name);
    if (!entry) throw new DamagedBackupError(`${name} is missing`);
    return this.#zip.openReadStreamPromise(entry);
  }

  /** Yields the rows of a table, in the order of the backup. Throws DamagedBackupError for a line that is no row. */
  async *rows(table: string): AsyncIterable<Record<string, unknown>> {
    const input = await this.stream(tableEntry(table));
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      yield rowOf(line, table);
  }

  /** The manifest names exactly what is there, and only names that a backup can have. */
  #checkNames(): void {
    const allowed = new Set<string>(this.manifest.tables.map(({ name }) => tableEntry(name)));
    for (const name of KEY_NAMES) allowed.add(keyEntry(name));
    const named = new Set(this.manifest.entries.map(({ name }) => name));
    for (const name of named)
      if (!allowed.has(name) && !isStorageName(fileNameOf(name)))
        throw new DamagedBackupError('it contains a file that does not belong in a backup');
    const tables = this.manifest.tables.every(({ name }) => named.has(tableEntry(name)));
    const isSame = named.size === this.manifest.entries.length && named.size === this.#entries.size - 1;
    if (!tables || !isSame || [...named].some((name) => !this.#entries.has(name)))
      throw new DamagedBackupError('its content does not match its manifest');
  }

  async #checkEntry({ name, size, sha256 }: ManifestEntry, checks: ArchiveChecks): Promise<void> {
    const hash = createHash('sha256');
    let read = 0;
    try {
      for await (const chunk of await this.stream(name)) {
        hash.update(chunk as Buffer);
        read += (chunk as Buffer).length;
        if (read > size) break;
        checks.onProgress?.({ bytes: (chunk as Buffer).length });
      }
    } catch (error) {
      refuseDamaged(error);
    }
    if (read !== size || hash.digest('hex') !== sha256) throw new DamagedBackupError(`${name} was changed`);
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw new DamagedBackupError('it contains a name twice');
    entries.set(entry.fileName, entry);
  }
  return entries;
}

async function manifestOf(
  zip: ZipFile,
  entries: Map<string, Entry>,
  checks: ArchiveChecks,
): Promise<Manifest> {
  const entry = entries.get(MANIFEST_NAME);
  if (!entry || entry.uncompressedSize > MAX_MANIFEST_BYTES)
    throw new DamagedBackupError('it has no manifest');
  const text = await zip.openReadStreamPromise(entry).then(textOfStream).catch(refuseDamaged);
  return readManifest(text, checks);
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
