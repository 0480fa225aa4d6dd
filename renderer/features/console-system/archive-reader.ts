import { ARCHIVE_FILES, ArchivedFax, ArchiveManifest, isListName } from '../../../shared/archive-format.ts';
import { randomId } from '../../api/random-id.ts';
import { t } from '../../texts/administration.ts';

const words = t.system.archives.reading;

/** Thrown for a file that is no archive, or was altered. The message is a sentence for a person. */
export class ArchiveFileError extends Error {
  override name = 'ArchiveFileError';
}

/** An archive on this computer whose signature is valid. Each file is compared with its digest when it is read. */
export interface ArchiveReader {
  /** Another one each time that a file is opened: a file of the same name may be another. */
  readonly opening: string;
  readonly manifest: ArchiveManifest;
  /** Of the signing key, lowercase hex. */
  readonly fingerprint: string;
  /** Yields the faxes, sent ones first. Throws ArchiveFileError. */
  faxes(): AsyncGenerator<ArchivedFax>;
  /** Reads a file of the archive, such as the document of a fax. Throws ArchiveFileError. */
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

interface Place {
  readonly at: number;
  readonly sizeBytes: number;
}

const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const LARGE_DIRECTORY_PLACE = 0x07064b50;
/** The ends of a directory, the larger form with its place among them. */
const ENDS_BYTES = 98;
const END_BYTES = 22;
const UNSAID = 0xffffffff;
const LINE = /^([0-9a-f]{64}) {2}([\w.-]+)$/u;

/** Opens an archive without sending it anywhere. Throws ArchiveFileError; errors of the file as they are. */
export async function openArchiveFile(file: Blob): Promise<ArchiveReader> {
  // Only over HTTPS or on this computer do browsers have it.
  if (!isSecureContext) throw new ArchiveFileError(words.cannotCheck);
  const places = await placesOf(file);
  const raw = async (name: string) => {
    const place = places.get(name);
    if (place === undefined) throw new ArchiveFileError(words.missing(name));
    return contentAt(file, place);
  };
  const sums = await raw(ARCHIVE_FILES.sums);
  const { fingerprint, isSigned } = await checkSignature(
    sums,
    await raw(ARCHIVE_FILES.publicKey),
    await raw(ARCHIVE_FILES.signature),
  );
  if (!isSigned) throw new ArchiveFileError(words.notSigned);
  const digests = digestsOf(textOf(sums));
  const unsigned: readonly string[] = [ARCHIVE_FILES.sums, ARCHIVE_FILES.signature];
  const added = [...places.keys()].find((name) => !digests.has(name) && !unsigned.includes(name));
  if (added !== undefined) throw new ArchiveFileError(words.added(added));
  const read = async (name: string) => {
    const bytes = await raw(name);
    if ((await sha256(bytes)) !== digests.get(name)) throw new ArchiveFileError(words.altered(name));
    return bytes;
  };
  const manifest = ArchiveManifest.safeParse(jsonOf(textOf(await read(ARCHIVE_FILES.manifest))));
  if (!manifest.success) throw new ArchiveFileError(words.otherRelease);
  const lists = [...digests.keys()].filter(isListName).toSorted((a, b) => orderOf(a, b));
  return {
    opening: randomId(),
    manifest: manifest.data,
    fingerprint,
    async *faxes() {
      for (const name of lists) yield* linesOf(name, await read(name));
    },
    read,
  };
}

/** Returns the year and month that an archive is said to be of; the gateway checks it. Throws ArchiveFileError. */
export async function spanOfArchive(file: Blob): Promise<{ year: number; month?: number }> {
  const place = (await placesOf(file)).get(ARCHIVE_FILES.manifest);
  if (place === undefined) throw new ArchiveFileError(words.noArchive);
  const manifest = ArchiveManifest.safeParse(jsonOf(textOf(await contentAt(file, place))));
  if (!manifest.success) throw new ArchiveFileError(words.otherRelease);
  const { year, month } = manifest.data;
  return month === null ? { year } : { year, month };
}

/** Sent faxes first, each direction in the order of its lists. */
function orderOf(a: string, b: string): number {
  const key = (name: string) => `${name.startsWith('sent-') ? 0 : 1} ${name.length} ${name}`;
  return key(a) < key(b) ? -1 : 1;
}

/** Returns the places of the headers of all files. */
async function placesOf(file: Blob): Promise<ReadonlyMap<string, Place>> {
  const ends = await viewOf(file, Math.max(0, file.size - ENDS_BYTES), file.size);
  const end = ends.byteLength - END_BYTES;
  if (end < 0 || ends.getUint32(end, true) !== DIRECTORY_END) throw new ArchiveFileError(words.noArchive);
  let sizeBytes = ends.getUint32(end + 12, true);
  let at = ends.getUint32(end + 16, true);
  if (ends.byteLength === ENDS_BYTES && ends.getUint32(56, true) === LARGE_DIRECTORY_PLACE) {
    sizeBytes = Number(ends.getBigUint64(40, true));
    at = Number(ends.getBigUint64(48, true));
  }
  const directory = await viewOf(file, at, at + sizeBytes);
  const places = new Map<string, Place>();
  const decoder = new TextDecoder('latin1');
  for (let entry = 0; entry + 46 <= directory.byteLength; ) {
    if (directory.getUint32(entry, true) !== DIRECTORY_ENTRY) throw new ArchiveFileError(words.noArchive);
    const nameBytes = directory.getUint16(entry + 28, true);
    const extraBytes = directory.getUint16(entry + 30, true);
    const offset = directory.getUint32(entry + 42, true);
    const name = decoder.decode(new Uint8Array(directory.buffer, entry + 46, nameBytes));
    const place =
      offset === UNSAID ? Number(directory.getBigUint64(entry + 46 + nameBytes + 4, true)) : offset;
    places.set(name, { at: place, sizeBytes: directory.getUint32(entry + 24, true) });
    entry += 46 + nameBytes + extraBytes + directory.getUint16(entry + 32, true);
  }
  return places;
}

const viewOf = async (file: Blob, from: number, until: number): Promise<DataView<ArrayBuffer>> =>
  new DataView(await file.slice(from, until).arrayBuffer());

async function contentAt(file: Blob, { at, sizeBytes }: Place): Promise<Uint8Array<ArrayBuffer>> {
  const header = await viewOf(file, at, at + 30);
  if (header.byteLength < 30) throw new ArchiveFileError(words.noArchive);
  const from = at + 30 + header.getUint16(26, true) + header.getUint16(28, true);
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
        const [, digest = '', name = ''] = LINE.exec(line) ?? [];
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
