import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

/**
 * File in a zip whose every byte follows from the names and the contents: nothing is compressed, all times are the
 * first of 1980, and there is nothing between, before or behind the files. So a verifier makes the same bytes again and
 * compares them. A package that writes zips may write other bytes in its next release; those of an archive are to be
 * verified for years.
 */
export interface ZipMember {
  /** ASCII, without folders. */
  readonly name: string;
  readonly sizeBytes: number;
  /** CRC-32 of the content. */
  readonly crc32: number;
}

/** A stretch of the archive, one after another from its beginning. */
export type ZipPart =
  | { readonly at: number; readonly sizeBytes: number; readonly contentOf: string }
  | { readonly at: number; readonly sizeBytes: number; readonly bytes: Buffer; readonly what: string };

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const LARGE_DIRECTORY_END = 0x06064b50;
const LARGE_DIRECTORY_PLACE = 0x07064b50;
/** Header id of the extra field that holds what has no place in 32 bits. */
const LARGE_FIELD = 0x0001;
/** 1.0: files as they are. */
const VERSION_NEEDED = 10;
/** 4.5: places beyond 4 GiB, or more than 65,534 files. */
const LARGE_VERSION_NEEDED = 45;
/** Unix, 2.0. */
const VERSION_MADE_BY = 0x0314;
/** January 1, 1980, as DOS writes it; the time is 0. */
const DATE = 0x0021;
const ATTRIBUTES = 0o100644 * 0x10000;
/** Places and numbers beyond these are written in the larger form, Zip64. */
const MAX_BYTES = 0xfffffffe;
const MAX_FILES = 0xfffe;
/** In 32 bits: a value that the larger form holds. */
const UNSAID = 0xffffffff;

/**
 * Returns the layout of the archive of these files: the origin of each of its bytes. Throws RangeError beyond 4 GiB.
 */
export function zipLayout(members: readonly ZipMember[]): ZipPart[] {
  const parts: ZipPart[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  const add = (part: { contentOf: string; sizeBytes: number } | { bytes: Buffer; what: string }) => {
    const sizeBytes = 'bytes' in part ? part.bytes.length : part.sizeBytes;
    parts.push({ ...part, at, sizeBytes });
    at += sizeBytes;
  };
  for (const member of members) {
    entries.push(directoryEntry(member, at));
    add({ bytes: localHeader(member), what: `the header of ${member.name}` });
    add({ contentOf: member.name, sizeBytes: member.sizeBytes });
  }
  const directoryAt = at;
  for (const [index, { name }] of members.entries())
    add({ bytes: entries[index] as Buffer, what: `the directory entry of ${name}` });
  const directory = { count: members.length, sizeBytes: at - directoryAt, at: directoryAt };
  if (at > MAX_BYTES) throw new RangeError('the files are too large for one archive');
  add({ bytes: directoryEnd(directory), what: 'the end of the archive' });
  return parts;
}

/** The number of bytes of the archive. */
export function zipSize(parts: readonly ZipPart[]): number {
  const last = parts.at(-1);
  return last === undefined ? 0 : last.at + last.sizeBytes;
}

/** Yields the bytes of the archive; `contentOf` is called for each file when it is its turn. */
export function zipStream(
  parts: readonly ZipPart[],
  contentOf: (name: string) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Readable {
  const bytes = async function* () {
    for (const part of parts) {
      if ('bytes' in part) yield part.bytes;
      else yield* contentOf(part.contentOf);
    }
  };
  return Readable.from(bytes(), { objectMode: false });
}

/** Entries of the directory that are joined into one piece: a million small ones would take several times their size. */
const JOINED_ENTRIES = 1_000;

/**
 * Yields an archive of files that are made one after another: one of them is in memory at a time, and a line about each.
 * Each of them is smaller than 4 GiB; the archive may be of any length, and is written as Zip64 where it has to be.
 */
export async function* zipOf(
  files: AsyncIterable<{ readonly name: string; readonly bytes: Uint8Array }>,
): AsyncGenerator<Uint8Array> {
  const joined: Buffer[] = [];
  let entries: Buffer[] = [];
  let count = 0;
  let at = 0;
  for await (const { name, bytes } of files) {
    const member = { name, sizeBytes: bytes.length, crc32: crc32(bytes) };
    const header = localHeader(member);
    entries.push(directoryEntry(member, at));
    if (entries.length === JOINED_ENTRIES) {
      joined.push(Buffer.concat(entries));
      entries = [];
    }
    count += 1;
    at += header.length + bytes.length;
    yield header;
    yield bytes;
  }
  joined.push(Buffer.concat(entries));
  yield* joined;
  const sizeBytes = joined.reduce((sum, { length }) => sum + length, 0);
  yield largeDirectoryEnd({ count, sizeBytes, at });
  yield directoryEnd({ count, sizeBytes, at });
}

/** Returns the fields that header and directory share, from "version needed" to the lengths of name and extra field. */
function encodeMember({ name, sizeBytes, crc32: sum }: ZipMember): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.writeUInt16LE(VERSION_NEEDED, 0);
  bytes.writeUInt16LE(DATE, 8);
  bytes.writeUInt32LE(sum, 10);
  bytes.writeUInt32LE(sizeBytes, 14);
  bytes.writeUInt32LE(sizeBytes, 18);
  bytes.writeUInt16LE(Buffer.byteLength(name, 'latin1'), 22);
  return bytes;
}

function localHeader(member: ZipMember): Buffer {
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(LOCAL_HEADER);
  return Buffer.concat([signature, encodeMember(member), Buffer.from(member.name, 'latin1')]);
}

function directoryEntry(member: ZipMember, at: number): Buffer {
  const start = Buffer.alloc(6);
  start.writeUInt32LE(DIRECTORY_ENTRY);
  start.writeUInt16LE(VERSION_MADE_BY, 4);
  const fields = encodeMember(member);
  const end = Buffer.alloc(14);
  end.writeUInt32LE(ATTRIBUTES, 6);
  end.writeUInt32LE(Math.min(at, UNSAID), 10);
  const name = Buffer.from(member.name, 'latin1');
  if (at <= MAX_BYTES) return Buffer.concat([start, fields, end, name]);
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(LARGE_FIELD);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(at), 4);
  fields.writeUInt16LE(LARGE_VERSION_NEEDED, 0);
  fields.writeUInt16LE(extra.length, 24);
  return Buffer.concat([start, fields, end, name, extra]);
}

interface Directory {
  readonly count: number;
  readonly sizeBytes: number;
  readonly at: number;
}

const isLarge = ({ count, sizeBytes, at }: Directory): boolean =>
  count > MAX_FILES || sizeBytes > MAX_BYTES || at > MAX_BYTES;

/** Returns the end of a directory whose place or length has no place in the usual one; empty for any other. */
function largeDirectoryEnd(directory: Directory): Buffer {
  if (!isLarge(directory)) return Buffer.alloc(0);
  const { count, sizeBytes, at } = directory;
  const bytes = Buffer.alloc(76);
  bytes.writeUInt32LE(LARGE_DIRECTORY_END);
  bytes.writeBigUInt64LE(44n, 4);
  bytes.writeUInt16LE(VERSION_MADE_BY, 12);
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

function directoryEnd({ count, sizeBytes, at }: Directory): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(DIRECTORY_END);
  bytes.writeUInt16LE(Math.min(count, 0xffff), 8);
  bytes.writeUInt16LE(Math.min(count, 0xffff), 10);
  bytes.writeUInt32LE(Math.min(sizeBytes, UNSAID), 12);
  bytes.writeUInt32LE(Math.min(at, UNSAID), 16);
  return bytes;
}
