import { inflateRawSync } from 'node:zlib';

/** A file in a ZIP archive. */
export interface ZipMember {
  readonly name: string;
  readonly isStored: boolean;
  /** Position of its own header. */
  readonly offset: number;
  readonly packedBytes: number;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const MEMBER = 0x04034b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const MEMBER_BYTES = 30;
const MAX_COMMENT = 0xffff;
const MAX_MEMBERS = 10_000;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

/**
 * Returns the files of a ZIP archive by its directory. Null for one that is damaged, encrypted, of many thousand files, packed
 * in an unusual way or larger than 4 GB.
 */
export function zipMembers(bytes: Buffer): ZipMember[] | null {
  const end = endOf(bytes);
  if (end === null) return null;
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_MEMBERS) return null;
  const members: ZipMember[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_BYTES > end || bytes.readUInt32LE(at) !== ENTRY) return null;
    const nameEnd = at + ENTRY_BYTES + bytes.readUInt16LE(at + 28);
    const method = bytes.readUInt16LE(at + 10);
    const isPlain = (bytes.readUInt16LE(at + 8) & ENCRYPTED) === 0;
    if (!isPlain || (method !== STORED && method !== DEFLATED) || nameEnd > end) return null;
    members.push({
      name: bytes.toString('utf8', at + ENTRY_BYTES, nameEnd),
      isStored: method === STORED,
      offset: bytes.readUInt32LE(at + 42),
      packedBytes: bytes.readUInt32LE(at + 20),
    });
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return members;
}

/** Position of the end record, which a comment may follow; null without one. */
function endOf(bytes: Buffer): number | null {
  const first = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT);
  for (let at = bytes.length - END_BYTES; at >= first; at--)
    if (bytes.readUInt32LE(at) === END && at + END_BYTES + bytes.readUInt16LE(at + 20) === bytes.length)
      return at;
  return null;
}

/** Returns the content of a file of the archive; null for one that is damaged or has more than `maxBytes`. */
export function readMember(bytes: Buffer, member: ZipMember, maxBytes: number): Buffer | null {
  const { offset, packedBytes, isStored } = member;
  if (offset + MEMBER_BYTES > bytes.length || bytes.readUInt32LE(offset) !== MEMBER) return null;
  const start = offset + MEMBER_BYTES + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  if (start + packedBytes > bytes.length) return null;
  const packed = bytes.subarray(start, start + packedBytes);
  if (isStored) return packedBytes > maxBytes ? null : packed;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maxBytes) });
  } catch {
    return null;
  }
}
