/** File in a zip, as its records describe it. */
export interface ZipRecord {
  readonly name: Buffer;
  readonly method: number;
  readonly crc32: number;
  /** Length as it is in the archive, compressed or not. */
  readonly packedBytes: number;
  readonly sizeBytes: number;
}

/** Values that the records of an archive have in common. */
export interface ZipStyle {
  readonly madeBy: number;
  /** Version that a reader needs; 4.5 is written where a record is of the larger form. */
  readonly versionNeeded: number;
  readonly flags: number;
  /** Time and date, as DOS writes them. */
  readonly time: number;
  readonly date: number;
  /** Mode of Unix, in the upper half. */
  readonly attributes: number;
  /** Extra fields of each entry of the directory. */
  readonly extra: Buffer;
}

/** Directory of an archive. */
interface ZipDirectory {
  readonly count: number;
  readonly sizeBytes: number;
  readonly at: number;
}

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const LARGE_DIRECTORY_END = 0x06064b50;
const LARGE_DIRECTORY_PLACE = 0x07064b50;
/** Header id of the extra field that holds values beyond 32 bits. */
const LARGE_FIELD = 0x0001;
/** 4.5: Zip64. */
const LARGE_VERSION_NEEDED = 45;
/** Lengths, places and counts beyond these are written in the larger form, Zip64. */
export const MAX_ZIP_BYTES = 0xfffffffe;
const MAX_FILES = 0xfffe;
/** In 32 bits: a value that the larger form holds. */
const UNSAID = 0xffffffff;
/** Version needed, flags, method, time, date, CRC-32, both lengths, and the lengths of name and extra field. */
const SHARED_BYTES = 26;

/** Writes the fields that a header and a directory entry share, without the length of an extra field. */
function writeShared(bytes: Buffer, at: number, record: ZipRecord, style: ZipStyle): void {
  bytes.writeUInt16LE(style.versionNeeded, at);
  bytes.writeUInt16LE(style.flags, at + 2);
  bytes.writeUInt16LE(record.method, at + 4);
  bytes.writeUInt16LE(style.time, at + 6);
  bytes.writeUInt16LE(style.date, at + 8);
  bytes.writeUInt32LE(record.crc32, at + 10);
  bytes.writeUInt32LE(Math.min(record.packedBytes, UNSAID), at + 14);
  bytes.writeUInt32LE(Math.min(record.sizeBytes, UNSAID), at + 18);
  bytes.writeUInt16LE(record.name.length, at + 22);
}

/** Returns the header before a file. Throws RangeError for a name of more than 64 KiB. */
export function localHeader(record: ZipRecord, style: ZipStyle): Buffer {
  const bytes = Buffer.alloc(4 + SHARED_BYTES + record.name.length);
  bytes.writeUInt32LE(LOCAL_HEADER);
  writeShared(bytes, 4, record, style);
  record.name.copy(bytes, 4 + SHARED_BYTES);
  return bytes;
}

/** Returns the record behind a file whose header has no CRC-32 and lengths, because they came to be known afterwards. */
export function dataDescriptor({ crc32, packedBytes, sizeBytes }: ZipRecord): Buffer {
  const isLarge = packedBytes > MAX_ZIP_BYTES || sizeBytes > MAX_ZIP_BYTES;
  const bytes = Buffer.alloc(isLarge ? 24 : 16);
  bytes.writeUInt32LE(DESCRIPTOR);
  bytes.writeUInt32LE(crc32, 4);
  if (isLarge) {
    bytes.writeBigUInt64LE(BigInt(packedBytes), 8);
    bytes.writeBigUInt64LE(BigInt(sizeBytes), 16);
  } else {
    bytes.writeUInt32LE(packedBytes, 8);
    bytes.writeUInt32LE(sizeBytes, 12);
  }
  return bytes;
}

/** Returns the entry in the directory of a file whose header is at `at`. */
export function directoryEntry(record: ZipRecord, at: number, style: ZipStyle): Buffer {
  const large = [record.sizeBytes, record.packedBytes, at].filter((value) => value > MAX_ZIP_BYTES);
  const largeBytes = large.length === 0 ? 0 : 4 + 8 * large.length;
  const nameEnd = 46 + record.name.length;
  const bytes = Buffer.alloc(nameEnd + style.extra.length + largeBytes);
  bytes.writeUInt32LE(DIRECTORY_ENTRY);
  bytes.writeUInt16LE(style.madeBy, 4);
  writeShared(bytes, 6, record, style);
  if (large.length > 0) bytes.writeUInt16LE(LARGE_VERSION_NEEDED, 6);
  bytes.writeUInt16LE(style.extra.length + largeBytes, 30);
  bytes.writeUInt32LE(style.attributes, 38);
  bytes.writeUInt32LE(Math.min(at, UNSAID), 42);
  record.name.copy(bytes, 46);
  style.extra.copy(bytes, nameEnd);
  if (large.length > 0) writeLargeField(bytes, nameEnd + style.extra.length, large);
  return bytes;
}

function writeLargeField(bytes: Buffer, at: number, values: readonly number[]): void {
  bytes.writeUInt16LE(LARGE_FIELD, at);
  bytes.writeUInt16LE(8 * values.length, at + 2);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), at + 4 + 8 * index);
}

/** Returns the records behind a directory: those of Zip64 where it needs them, then the usual one with the comment of the archive. */
export function directoryEnd(
  directory: ZipDirectory,
  { madeBy }: Pick<ZipStyle, 'madeBy'>,
  comment = '',
): Buffer {
  const { count, sizeBytes, at } = directory;
  const isLarge = count > MAX_FILES || sizeBytes > MAX_ZIP_BYTES || at > MAX_ZIP_BYTES;
  const text = Buffer.from(comment, 'latin1');
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(DIRECTORY_END);
  bytes.writeUInt16LE(Math.min(count, 0xffff), 8);
  bytes.writeUInt16LE(Math.min(count, 0xffff), 10);
  bytes.writeUInt32LE(Math.min(sizeBytes, UNSAID), 12);
  bytes.writeUInt32LE(Math.min(at, UNSAID), 16);
  bytes.writeUInt16LE(text.length, 20);
  return Buffer.concat([...(isLarge ? [largeDirectoryEnd(directory, madeBy)] : []), bytes, text]);
}

function largeDirectoryEnd({ count, sizeBytes, at }: ZipDirectory, madeBy: number): Buffer {
  const bytes = Buffer.alloc(76);
  bytes.writeUInt32LE(LARGE_DIRECTORY_END);
  bytes.writeBigUInt64LE(44n, 4);
  bytes.writeUInt16LE(madeBy, 12);
  bytes.writeUInt16LE(LARGE_VERSION_NEEDED, 14);
  bytes.writeBigUInt64LE(BigInt(count), 24);
  bytes.writeBigUInt64LE(BigInt(count), 32);
  bytes.writeBigUInt64LE(BigInt(sizeBytes), 40);
  bytes.writeBigUInt64LE(BigInt(at), 48);
  bytes.writeUInt32LE(LARGE_DIRECTORY_PLACE, 56);
  bytes.writeBigUInt64LE(BigInt(at + sizeBytes), 64);
  bytes.writeUInt32LE(1, 72);
  return bytes;
}
