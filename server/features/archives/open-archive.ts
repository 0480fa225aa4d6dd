import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { Entry } from 'yauzl';
import {
  ARCHIVE_FILES,
  ArchivedFax,
  ArchiveManifest,
  isDocumentName,
  isListName,
} from '../../../shared/archive-format.ts';
import { createBlockReader } from '../../platform/block-reader.ts';
import { errorCode } from '../../platform/errors.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { keyFingerprint } from '../../platform/key-fingerprint.ts';
import { createNameSet, type NameSet } from '../../platform/name-set.ts';
import { openReadableFile, type ReadableFile } from '../../platform/readable-file.ts';
import { openZip, readEntry } from '../../platform/zip-reader.ts';

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
  close(): Promise<void>;
}

const LINE = /^[0-9a-f]{64} {2}([\w.-]+)$/u;
const lineOf = (sha256: string, name: string) => `${sha256}  ${name}`;

/** Bytes of a file that is read as a whole. The list of digests takes about 120 for each file of the archive. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

const UNSIGNED: readonly string[] = [ARCHIVE_FILES.sums, ARCHIVE_FILES.signature];

/**
 * Opens an archive for reading. `fingerprint` is that of the installation's signing key, in any writing of its hex digits. Throws
 * ArchiveError; errors of the file system are thrown as they are.
 */
export async function openArchive(path: string, fingerprint?: string): Promise<OpenedArchive> {
  const file = await openReadableFile(path);
  try {
    return await readArchive(file, fingerprint);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readArchive(file: ReadableFile, wanted: string | undefined): Promise<OpenedArchive> {
  const zip = await openFiles(file);
  const { names, own } = await readNames(zip);
  const raw = async (name: string) => {
    const entry = own.get(name) ?? (await findEntry(zip, name));
    if (entry === null) throw new ArchiveError(`${name} is missing.`);
    if (entry.uncompressedSize > MAX_FILE_BYTES) throw new ArchiveError(`${name} is too large.`);
    return buffer(zip.read(entry));
  };
  const sums = await raw(ARCHIVE_FILES.sums);
  const key = publicKeyOf(await raw(ARCHIVE_FILES.publicKey));
  if (!isSigned(sums, key, await raw(ARCHIVE_FILES.signature)))
    throw new ArchiveError('The signature does not match: the archive was altered.');
  const fingerprint = keyFingerprint(key);
  if (wanted !== undefined && wanted.replaceAll(/[^0-9a-f]/giu, '').toLowerCase() !== fingerprint)
    throw new ArchiveError(`It was signed with another key: its fingerprint is ${fingerprint}.`);
  const digests = await digestsOf(sums, names);
  if (names.size !== digests.size + UNSIGNED.length) throw new ArchiveError(await addedSentence(zip, sums));
  const read = async (name: string): Promise<Buffer> => {
    const bytes = await raw(name);
    assertDigest(digests, name, sha256Hex(bytes));
    return bytes;
  };
  const manifest = manifestOf(await read(ARCHIVE_FILES.manifest));
  const lists = orderOf([...own.keys()].filter(isListName));
  return {
    manifest,
    fingerprint,
    digest: sha256Hex(sums),
    async *faxes() {
      for (const name of lists) yield* linesOf(name, await read(name));
    },
    async document({ document }) {
      if (document === null) throw new ArchiveError('The archive does not have the document of this fax.');
      return read(document.file);
    },
    verify: () => verifyFiles(zip, digests),
    close: () => file.close(),
  };
}

/** The files of a zip. */
interface ZipFiles {
  /** Yields the entries of the directory, which is read again each time: as objects, those of a year could take gigabytes. Throws ArchiveError. */
  entries(): AsyncGenerator<Entry>;
  /** Yields the content of an entry. Throws ArchiveError. */
  read(entry: Entry): AsyncGenerator<Uint8Array>;
}

async function openFiles(file: ReadableFile): Promise<ZipFiles> {
  const blocks = createBlockReader(file);
  const open = () => openZip(file, blocks);
  const zip = await open().catch(refuseAs('This is not an archive of Faxdesk, or it was cut off.'));
  return {
    async *entries() {
      try {
        yield* (await open()).eachEntry();
      } catch (error) {
        refuseAs('The directory of the archive was altered.')(error);
      }
    },
    async *read(entry) {
      try {
        yield* await readEntry(zip, entry, blocks);
      } catch (error) {
        refuseAs(`${entry.fileName} cannot be read.`)(error);
      }
    },
  };
}

/** Returns a function that throws ArchiveError with the sentence for errors of the archive, and errors of the disk as they are. */
const refuseAs =
  (sentence: string) =>
  (error: unknown): never => {
    // Errors of the library itself about an archive have no code.
    if (errorCode(error) !== '') throw error;
    throw new ArchiveError(sentence, { cause: error });
  };

/** The names in the directory, and the entries that are not documents: a list of faxes has those of many. */
interface DirectoryNames {
  readonly names: NameSet;
  readonly own: ReadonlyMap<string, Entry>;
}

async function readNames(zip: ZipFiles): Promise<DirectoryNames> {
  const names = createNameSet();
  const own = new Map<string, Entry>();
  for await (const entry of zip.entries()) {
    if (!names.add(entry.fileName))
      throw new ArchiveError(`${entry.fileName} is in the archive more than once.`);
    if (isOwnName(entry.fileName)) own.set(entry.fileName, entry);
  }
  return { names, own };
}

const OWN: readonly string[] = Object.values(ARCHIVE_FILES);
const isOwnName = (name: string) => OWN.includes(name) || name.endsWith('.jsonl');

async function findEntry(zip: ZipFiles, name: string): Promise<Entry | null> {
  for await (const entry of zip.entries()) if (entry.fileName === name) return entry;
  return null;
}

/** Returns the signed lines, each with the digest and the name of a file. Throws ArchiveError for a file that is not there. */
async function digestsOf(sums: Buffer, names: NameSet): Promise<NameSet> {
  const digests = createNameSet();
  for await (const { line, name } of signedLines(sums)) {
    if (!names.has(name)) throw new ArchiveError(`${name} was removed from the archive.`);
    digests.add(line);
  }
  return digests;
}

/** Lines after which requests to the gateway are answered. */
const LINES_AT_ONCE = 1_000;

async function* signedLines(sums: Buffer): AsyncGenerator<{ line: string; name: string }> {
  for (let [at, count] = [0, 1]; at < sums.length; count += 1) {
    if (count % LINES_AT_ONCE === 0) await setImmediate();
    const end = sums.indexOf(0x0a, at);
    const line = sums.toString('utf8', at, end < 0 ? sums.length : end);
    const name = end < 0 ? undefined : LINE.exec(line)?.[1];
    if (name === undefined) throw new ArchiveError(`${ARCHIVE_FILES.sums} cannot be read.`);
    yield { line, name };
    at = end + 1;
  }
}

async function addedSentence(zip: ZipFiles, sums: Buffer): Promise<string> {
  const signed = createNameSet();
  for await (const { name } of signedLines(sums)) signed.add(name);
  for await (const { fileName: name } of zip.entries())
    if (!signed.has(name) && !UNSIGNED.includes(name))
      return `${name} does not belong in the archive; it was added or renamed.`;
  return `${ARCHIVE_FILES.sums} cannot be read.`;
}

function assertDigest(digests: NameSet, name: string, sha256: string): void {
  if (!digests.has(lineOf(sha256, name))) throw new ArchiveError(`${name} was altered.`);
}

/** Compares every file with its digest without keeping it, and returns the number of documents. */
async function verifyFiles(zip: ZipFiles, digests: NameSet): Promise<number> {
  let documents = 0;
  let compared = 0;
  for await (const entry of zip.entries()) {
    const { fileName: name } = entry;
    if (UNSIGNED.includes(name)) continue;
    const hash = createHash('sha256');
    for await (const piece of zip.read(entry)) hash.update(piece);
    assertDigest(digests, name, hash.digest('hex'));
    compared += 1;
    if (isDocumentName(name)) documents += 1;
  }
  if (compared !== digests.size) throw new ArchiveError('The archive was changed while it was read.');
  return documents;
}

/** Sent faxes first, each direction in the order of its lists. */
function orderOf(names: readonly string[]): string[] {
  const of = (direction: string) =>
    names.filter((name) => name.startsWith(direction)).toSorted((a, b) => (a < b ? -1 : 1));
  return [...of('sent-'), ...of('received-')];
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
