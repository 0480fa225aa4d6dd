import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import {
  ARCHIVE_FILES,
  ArchivedFax,
  ArchiveManifest,
  isDocumentName,
  isListName,
} from '../../../shared/archive-format.ts';
import { errorCode } from '../../platform/errors.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { keyFingerprint } from '../../platform/key-fingerprint.ts';

/** Thrown for a file that is no archive, or was altered. The message is a sentence for a person. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

/** An archive whose signature is valid. Each file is compared with its digest when it is read. */
export interface OpenedArchive {
  readonly manifest: ArchiveManifest;
  /** Of the signing key, lowercase hex. */
  readonly fingerprint: string;
  /** Digest of the signed list of files, lowercase hex: two archives with the same one are the same. */
  readonly digest: string;
  /** Yields the faxes, sent ones first, newest first. Throws ArchiveError. */
  faxes(): AsyncGenerator<ArchivedFax>;
  /** Returns the document of a fax. Throws ArchiveError. */
  document(fax: ArchivedFax): Promise<Buffer>;
  /** Reads every file, and returns the number of documents. Throws ArchiveError. */
  verify(): Promise<number>;
  close(): void;
}

const LINE = /^([0-9a-f]{64}) {2}([\w.-]+)$/u;

/**
 * Opens an archive for reading. `fingerprint` is that of the installation's signing key, in any writing of its hex digits. Throws
 * ArchiveError; errors of the file system are thrown as they are.
 */
export async function openArchive(path: string, fingerprint?: string): Promise<OpenedArchive> {
  const zip = await openZip(path);
  try {
    return await readArchive(zip, fingerprint);
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    // Errors of the library itself about an archive have no code.
    if (errorCode(error) !== '') throw error;
    throw new ArchiveError('This is not an archive of Faxdesk, or it was cut off.', { cause: error });
  }
}

async function readArchive(zip: ZipFile, wanted: string | undefined): Promise<OpenedArchive> {
  const entries = await entriesOf(zip);
  const raw = async (name: string) => {
    const entry = entries.get(name);
    if (entry === undefined) throw new ArchiveError(`${name} is missing.`);
    return readEntry(zip, entry);
  };
  const sums = await raw(ARCHIVE_FILES.sums);
  const key = publicKeyOf(await raw(ARCHIVE_FILES.publicKey));
  if (!isSigned(sums, key, await raw(ARCHIVE_FILES.signature)))
    throw new ArchiveError('The signature does not match: the archive was altered.');
  const fingerprint = keyFingerprint(key);
  if (wanted !== undefined && wanted.replaceAll(/[^0-9a-f]/giu, '').toLowerCase() !== fingerprint)
    throw new ArchiveError(`It was signed with another key: its fingerprint is ${fingerprint}.`);
  const digests = digestsOf(sums.toString('utf8'));
  assertSameNames(entries, digests);
  const read = async (name: string): Promise<Buffer> => {
    const bytes = await raw(name);
    if (sha256Hex(bytes) !== digests.get(name)) throw new ArchiveError(`${name} was altered.`);
    return bytes;
  };
  const manifest = manifestOf(await read(ARCHIVE_FILES.manifest));
  return {
    manifest,
    fingerprint,
    digest: sha256Hex(sums),
    async *faxes() {
      for (const name of orderOf([...digests.keys()].filter(isListName)))
        yield* linesOf(name, await read(name));
    },
    async document({ document }) {
      if (document === null) throw new ArchiveError('The archive does not have the document of this fax.');
      return read(document.file);
    },
    async verify() {
      for (const name of digests.keys()) await compare(zip, entries, name, digests);
      return [...digests.keys()].filter(isDocumentName).length;
    },
    close: () => zip.close(),
  };
}

/** Sent faxes first, each direction in the order of its lists. */
function orderOf(names: readonly string[]): string[] {
  const of = (direction: string) =>
    names.filter((name) => name.startsWith(direction)).toSorted((a, b) => (a < b ? -1 : 1));
  return [...of('sent-'), ...of('received-')];
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName))
        throw new ArchiveError(`${entry.fileName} is in the archive more than once.`);
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError('The directory of the archive was altered.', { cause: error });
  }
  return entries;
}

async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  try {
    return await buffer(await zip.openReadStreamPromise(entry));
  } catch (error) {
    throw new ArchiveError(`${entry.fileName} cannot be read.`, { cause: error });
  }
}

/** Compares a file of any size without keeping it. */
async function compare(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  name: string,
  digests: ReadonlyMap<string, string>,
): Promise<void> {
  const hash = createHash('sha256');
  try {
    for await (const piece of await zip.openReadStreamPromise(entries.get(name) as Entry))
      hash.update(piece as Buffer);
  } catch (error) {
    throw new ArchiveError(`${name} cannot be read.`, { cause: error });
  }
  if (hash.digest('hex') !== digests.get(name)) throw new ArchiveError(`${name} was altered.`);
}

function publicKeyOf(pem: Buffer): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (error) {
    throw new ArchiveError(`${ARCHIVE_FILES.publicKey} cannot be read.`, { cause: error });
  }
}

function isSigned(sums: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify(null, sums, key, signature);
  } catch {
    return false;
  }
}

function digestsOf(sums: string): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  for (const line of sums.split('\n').slice(0, -1)) {
    const [, sha256, name] = LINE.exec(line) ?? [];
    if (sha256 === undefined || name === undefined)
      throw new ArchiveError(`${ARCHIVE_FILES.sums} cannot be read.`);
    digests.set(name, sha256);
  }
  return digests;
}

function assertSameNames(entries: ReadonlyMap<string, Entry>, digests: ReadonlyMap<string, string>): void {
  const unsigned: readonly string[] = [ARCHIVE_FILES.sums, ARCHIVE_FILES.signature];
  const added = [...entries.keys()].find((name) => !digests.has(name) && !unsigned.includes(name));
  if (added !== undefined)
    throw new ArchiveError(`${added} does not belong in the archive; it was added or renamed.`);
  const removed = [...digests.keys()].find((name) => !entries.has(name));
  if (removed !== undefined) throw new ArchiveError(`${removed} was removed from the archive.`);
}

function manifestOf(bytes: Buffer): ArchiveManifest {
  const parsed = ArchiveManifest.safeParse(parsedJson(bytes.toString('utf8')));
  if (!parsed.success) throw new ArchiveError('This release of Faxdesk cannot read the archive.');
  return parsed.data;
}

function* linesOf(name: string, bytes: Buffer): Generator<ArchivedFax> {
  for (const line of bytes.toString('utf8').split('\n').slice(0, -1)) {
    const parsed = ArchivedFax.safeParse(parsedJson(line));
    if (!parsed.success) throw new ArchiveError(`${name} cannot be read.`);
    yield parsed.data;
  }
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}
