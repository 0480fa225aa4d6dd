import { ARCHIVE_FILES, ArchivedFax, ArchiveManifest, isListName } from '../../../shared/archive-format.ts';
import { randomId } from '../../api/random-id.ts';
import { t } from '../../texts/administration.ts';

const words = t.system.archives.reading;

/** Thrown for a file that is not an archive or was altered. The message is a sentence for a person. */
export class ArchiveFileError extends Error {
  override name = 'ArchiveFileError';
}

/** An archive on this computer whose signature is valid. Each file is compared with its digest when it is read. */
export interface ArchiveReader {
  /** New each time a file is opened, for the keys of queries: another file can have the same name. */
  readonly openingId: string;
  readonly manifest: ArchiveManifest;
  /** SHA-256 of the signing key, in lowercase hex. */
  readonly fingerprint: string;
  /** Yields the faxes, sent ones first. Throws ArchiveFileError. */
  faxes(): AsyncGenerator<ArchivedFax>;
  /** Reads a file of the archive, such as the document of a fax. Throws ArchiveFileError. */
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** A file in the zip, which is stored without compression. */
interface ZipEntry {
  /** Offset of its local header in the zip. */
  readonly headerOffset: number;
  readonly sizeBytes: number;
}

// Signatures of the records of a zip.
const CENTRAL_HEADER = 0x02014b50;
const END_RECORD = 0x06054b50;
const ZIP64_LOCATOR = 0x07064b50;
/** Length of the ZIP64 end record (56), its locator (20) and the end record (22), with which a large archive ends. */
const ENDS_BYTES = 98;
const END_RECORD_BYTES = 22;
/** Offset of an entry that is in its ZIP64 extra field instead. */
const IN_ZIP64_FIELD = 0xffffffff;
const DIGEST_LINE = /^([0-9a-f]{64}) {2}([\w.-]+)$/u;

/** Opens an archive without sending it anywhere. Throws ArchiveFileError; errors of the file as they are. */
export async function openArchiveFile(file: Blob): Promise<ArchiveReader> {
  // Browsers offer `crypto.subtle` only over HTTPS and on localhost.
  if (!isSecureContext) throw new ArchiveFileError(words.cannotCheck);
  const entries = await readEntries(file);
  const readUnverified = async (name: string) => {
    const entry = entries.get(name);
    if (entry === undefined) throw new ArchiveFileError(words.missing(name));
    return readContent(file, entry);
  };
  const sums = await readUnverified(ARCHIVE_FILES.sums);
  const { fingerprint, isSigned } = await checkSignature(
    sums,
    await readUnverified(ARCHIVE_FILES.publicKey),
    await readUnverified(ARCHIVE_FILES.signature),
  );
  if (!isSigned) throw new ArchiveFileError(words.notSigned);
  const digests = digestsOf(textOf(sums));
  const unsigned: readonly string[] = [ARCHIVE_FILES.sums, ARCHIVE_FILES.signature];
  const added = [...entries.keys()].find((name) => !digests.has(name) && !unsigned.includes(name));
  if (added !== undefined) throw new ArchiveFileError(words.added(added));
  const read = async (name: string) => {
    const bytes = await readUnverified(name);
    if ((await sha256(bytes)) !== digests.get(name)) throw new ArchiveFileError(words.altered(name));
    return bytes;
  };
  const manifest = ArchiveManifest.safeParse(jsonOf(textOf(await read(ARCHIVE_FILES.manifest))));
  if (!manifest.success) throw new ArchiveFileError(words.otherRelease);
  const lists = [...digests.keys()].filter(isListName).toSorted((a, b) => compareListNames(a, b));
  return {
    openingId: randomId(),
    manifest: manifest.data,
    fingerprint,
    async *faxes() {
      for (const name of lists) yield* linesOf(name, await read(name));
    },
    read,
  };
}

/** Reads the year and month in the manifest of an archive, which is not verified here but by the gateway. Throws ArchiveFileError. */
export async function readArchivePeriod(file: Blob): Promise<{ year: number; month?: number }> {
  const entry = (await readEntries(file)).get(ARCHIVE_FILES.manifest);
  if (entry === undefined) throw new ArchiveFileError(words.noArchive);
  const manifest = ArchiveManifest.safeParse(jsonOf(textOf(await readContent(file, entry))));
  if (!manifest.success) throw new ArchiveFileError(words.otherRelease);
  const { year, month } = manifest.data;
  return month === null ? { year } : { year, month };
}

/** Sorts the names of lists: sent faxes first, each direction by number. */
function compareListNames(a: string, b: string): number {
  const key = (name: string) => `${name.startsWith('sent-') ? 0 : 1} ${name.length} ${name}`;
  return key(a) < key(b) ? -1 : 1;
}

/** Reads the central directory of a zip, and returns its entries by name. */
async function readEntries(file: Blob): Promise<ReadonlyMap<string, ZipEntry>> {
  const ends = await readBytes(file, Math.max(0, file.size - ENDS_BYTES), file.size);
  const end = ends.byteLength - END_RECORD_BYTES;
  if (end < 0 || ends.getUint32(end, true) !== END_RECORD) throw new ArchiveFileError(words.noArchive);
  let sizeBytes = ends.getUint32(end + 12, true);
  let directoryOffset = ends.getUint32(end + 16, true);
  if (ends.byteLength === ENDS_BYTES && ends.getUint32(56, true) === ZIP64_LOCATOR) {
    sizeBytes = Number(ends.getBigUint64(40, true));
    directoryOffset = Number(ends.getBigUint64(48, true));
  }
  const directory = await readBytes(file, directoryOffset, directoryOffset + sizeBytes);
  const entries = new Map<string, ZipEntry>();
  const decoder = new TextDecoder('latin1');
  for (let position = 0; position + 46 <= directory.byteLength; ) {
    if (directory.getUint32(position, true) !== CENTRAL_HEADER) throw new ArchiveFileError(words.noArchive);
    const nameBytes = directory.getUint16(position + 28, true);
    const extraBytes = directory.getUint16(position + 30, true);
    const offset = directory.getUint32(position + 42, true);
    const name = decoder.decode(new Uint8Array(directory.buffer, position + 46, nameBytes));
    const headerOffset =
      offset === IN_ZIP64_FIELD
        ? Number(directory.getBigUint64(position + 46 + nameBytes + 4, true))
        : offset;
    entries.set(name, { headerOffset, sizeBytes: directory.getUint32(position + 24, true) });
    position += 46 + nameBytes + extraBytes + directory.getUint16(position + 32, true);
  }
  return entries;
}

const readBytes = async (file: Blob, from: number, until: number): Promise<DataView<ArrayBuffer>> =>
  new DataView(await file.slice(from, until).arrayBuffer());

async function readContent(
  file: Blob,
  { headerOffset, sizeBytes }: ZipEntry,
): Promise<Uint8Array<ArrayBuffer>> {
  const header = await readBytes(file, headerOffset, headerOffset + 30);
  if (header.byteLength < 30) throw new ArchiveFileError(words.noArchive);
  const from = headerOffset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  return new Uint8Array(await file.slice(from, from + sizeBytes).arrayBuffer());
}

async function checkSignature(
  sums: Uint8Array<ArrayBuffer>,
  pem: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): Promise<{ fingerprint: string; isSigned: boolean }> {
  const base64 = textOf(pem).replaceAll(/-----[^-]+-----|\s/gu, '');
  const der = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const fingerprint = await sha256(der);
  const key = await crypto.subtle
    .importKey('spki', der, { name: 'Ed25519' }, false, ['verify'])
    .catch((error: unknown) => {
      throw new ArchiveFileError(words.cannotCheck, { cause: error });
    });
  return { fingerprint, isSigned: await crypto.subtle.verify('Ed25519', key, signature, sums) };
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function digestsOf(sums: string): ReadonlyMap<string, string> {
  return new Map(
    sums
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [, digest = '', name = ''] = DIGEST_LINE.exec(line) ?? [];
        return [name, digest];
      }),
  );
}

function* linesOf(name: string, bytes: Uint8Array): Generator<ArchivedFax> {
  for (const line of textOf(bytes).split('\n').slice(0, -1)) {
    const fax = ArchivedFax.safeParse(jsonOf(line));
    if (!fax.success) throw new ArchiveFileError(words.altered(name));
    yield fax.data;
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
