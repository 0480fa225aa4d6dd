import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { type ZipPart, zipLayout, zipSize } from './stored-zip.ts';

/** A file of an archive by its name and length. */
export interface FoundMember {
  readonly name: string;
  readonly sizeBytes: number;
}

/** The same with what its content is. */
interface ReadMember extends FoundMember {
  /** Lowercase hex. */
  readonly sha256: string;
  readonly crc32: number;
  /** The content, where it is small enough to be kept; null for a larger one. */
  readonly bytes: Buffer | null;
}

/** An archive that `stored-zip.ts` wrote, as it is now. */
export interface ReadZip {
  readonly members: readonly ReadMember[];
  /** Files whose content is not what it was when the archive was made. */
  readonly alteredContents: readonly string[];
  /** Everything beside the contents that is not as it was written, in words: `the header of …`. */
  readonly alteredParts: readonly string[];
  /** Bytes by which the file is longer than its archive; negative when it was cut off. */
  readonly surplusBytes: number;
}

const LOCAL_HEADER = 0x04034b50;
const HEADER_BYTES = 30;
/** Offsets of the CRC-32 in a header and in a directory entry. */
const CRC_OFFSETS = { header: 14, directory: 16 } as const;
const MAX_MEMBERS = 100;
const PIECE_BYTES = 256 * 1024;

/** The files by the headers before them, as far as these lead. */
export async function membersByHeaders(file: FileHandle): Promise<FoundMember[]> {
  const members: FoundMember[] = [];
  for (let at = 0; members.length < MAX_MEMBERS; ) {
    const header = await bytesAt(file, at, HEADER_BYTES);
    if (header.length < HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER) break;
    const nameBytes = header.readUInt16LE(26);
    const sizeBytes = header.readUInt32LE(22);
    const name = (await bytesAt(file, at + HEADER_BYTES, nameBytes)).toString('latin1');
    members.push({ name, sizeBytes });
    at += HEADER_BYTES + nameBytes + sizeBytes;
  }
  return members;
}

/** The files as the directory at the end names them; null where it cannot be read. */
export async function membersByDirectory(path: string): Promise<FoundMember[] | null> {
  try {
    const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
    try {
      const members: FoundMember[] = [];
      for await (const { fileName, uncompressedSize } of zip.eachEntry()) {
        if (members.length === MAX_MEMBERS) return null;
        members.push({ name: fileName, sizeBytes: uncompressedSize });
      }
      return members;
    } finally {
      zip.close();
    }
  } catch {
    return null;
  }
}

/** Reads every byte of an archive of these files, and compares all that is not content with what was written. */
export async function readStoredZip(
  file: FileHandle,
  found: readonly FoundMember[],
  { maxKeptBytes }: { readonly maxKeptBytes: number },
): Promise<ReadZip> {
  const { size } = await file.stat();
  // No file is longer than the archive, whatever an altered header says.
  const named = found.map(({ name, sizeBytes }) => ({ name, sizeBytes: Math.min(sizeBytes, size) }));
  const places = zipLayout(named.map((member) => ({ ...member, crc32: 0 })));
  const members: ReadMember[] = [];
  for (const [index, member] of named.entries())
    members.push(await readMember(file, member, { at: placeOf(places, index), maxKeptBytes }));
  const stored = await readStoredChecksums(file, places);
  const altered = members.filter((member, index) => {
    const { header, directory } = stored[index] as StoredChecksums;
    return header === directory && header !== member.crc32;
  });
  const expected = zipLayout(
    members.map((member, index) =>
      altered.includes(member) ? { ...member, crc32: (stored[index] as StoredChecksums).header } : member,
    ),
  );
  return {
    members,
    alteredContents: altered.map(({ name }) => name),
    alteredParts: await differingParts(file, expected),
    surplusBytes: size - zipSize(expected),
  };
}

function placeOf(parts: readonly ZipPart[], index: number): number {
  return parts.filter((part) => 'contentOf' in part)[index]?.at ?? 0;
}

async function readMember(
  file: FileHandle,
  { name, sizeBytes }: FoundMember,
  { at, maxKeptBytes }: { at: number; maxKeptBytes: number },
): Promise<ReadMember> {
  const hash = createHash('sha256');
  const kept: Buffer[] | null = sizeBytes <= maxKeptBytes ? [] : null;
  let sum = 0;
  for (let read = 0; read < sizeBytes; ) {
    const piece = await bytesAt(file, at + read, Math.min(PIECE_BYTES, sizeBytes - read));
    // Cut off: what is missing differs anyway.
    if (piece.length === 0) break;
    hash.update(piece);
    sum = crc32(piece, sum);
    kept?.push(piece);
    read += piece.length;
  }
  return { name, sizeBytes, sha256: hash.digest('hex'), crc32: sum, bytes: kept && Buffer.concat(kept) };
}

interface StoredChecksums {
  readonly header: number;
  readonly directory: number;
}

/** Reads the checksums in the archive, two for each file. */
async function readStoredChecksums(file: FileHandle, places: readonly ZipPart[]): Promise<StoredChecksums[]> {
  const structure = places.filter((part) => 'bytes' in part);
  const count = (structure.length - 1) / 2;
  const crcAt = async (part: ZipPart | undefined, offset: number) => {
    const bytes = await bytesAt(file, (part?.at ?? 0) + offset, 4);
    return bytes.length === 4 ? bytes.readUInt32LE(0) : 0;
  };
  const stored: StoredChecksums[] = [];
  for (let index = 0; index < count; index += 1)
    stored.push({
      header: await crcAt(structure[index], CRC_OFFSETS.header),
      directory: await crcAt(structure[count + index], CRC_OFFSETS.directory),
    });
  return stored;
}

async function differingParts(file: FileHandle, expected: readonly ZipPart[]): Promise<string[]> {
  const differing: string[] = [];
  for (const part of expected)
    if ('bytes' in part && !part.bytes.equals(await bytesAt(file, part.at, part.sizeBytes)))
      differing.push(part.what);
  return differing;
}

/** As many of the bytes as there are. */
async function bytesAt(file: FileHandle, at: number, count: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, at);
  return buffer.subarray(0, bytesRead);
}
