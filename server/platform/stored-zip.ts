import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { createPackedBytes } from './packed-bytes.ts';
import {
  directoryEnd,
  directoryEntry,
  localHeader,
  MAX_ZIP_BYTES,
  type ZipRecord,
  type ZipStyle,
} from './zip-records.ts';

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

/** 1.0, files as they are; Unix, 2.0; January 1, 1980 at 0:00; mode 0644. */
const STYLE: ZipStyle = {
  madeBy: 0x0314,
  versionNeeded: 10,
  flags: 0,
  time: 0,
  date: 0x0021,
  attributes: 0o100644 * 0x10000,
  extra: Buffer.alloc(0),
};

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
    const record = recordOf(member);
    entries.push(directoryEntry(record, at, STYLE));
    add({ bytes: localHeader(record, STYLE), what: `the header of ${member.name}` });
    add({ contentOf: member.name, sizeBytes: member.sizeBytes });
  }
  const directoryAt = at;
  for (const [index, { name }] of members.entries())
    add({ bytes: entries[index] as Buffer, what: `the directory entry of ${name}` });
  const directory = { count: members.length, sizeBytes: at - directoryAt, at: directoryAt };
  if (at > MAX_ZIP_BYTES) throw new RangeError('the files are too large for one archive');
  add({ bytes: directoryEnd(directory, STYLE), what: 'the end of the archive' });
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

/**
 * Yields an archive of files that are made one after another: one of them is in memory at a time, and a line about each.
 * Each of them is smaller than 4 GiB; the archive may be of any length, and is written as Zip64 where it has to be.
 */
export async function* zipOf(
  files: AsyncIterable<{ readonly name: string; readonly bytes: Uint8Array }>,
): AsyncGenerator<Uint8Array> {
  const directory = createPackedBytes();
  let count = 0;
  let at = 0;
  for await (const { name, bytes } of files) {
    const record = recordOf({ name, sizeBytes: bytes.length, crc32: crc32(bytes) });
    const header = localHeader(record, STYLE);
    directory.add(directoryEntry(record, at, STYLE));
    count += 1;
    at += header.length + bytes.length;
    yield header;
    yield bytes;
  }
  yield* directory.read();
  yield directoryEnd({ count, sizeBytes: directory.sizeBytes, at }, STYLE);
}

function recordOf({ name, sizeBytes, crc32: sum }: ZipMember): ZipRecord {
  return { name: Buffer.from(name, 'latin1'), method: 0, crc32: sum, packedBytes: sizeBytes, sizeBytes };
}
