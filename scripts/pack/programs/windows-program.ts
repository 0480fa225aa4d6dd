import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { readPart } from './bytes.ts';
import { signerOf } from './message-signer.ts';

/** Places in a program of Windows that its signature leaves out or is in. */
interface Layout {
  readonly checksumAt: number;
  /** Entry of the certificate table among the directories. */
  readonly entryAt: number;
  /** First byte of the certificate table, or the end of the file without one. */
  readonly tableAt: number;
  readonly tableSize: number;
}

const MZ = 0x5a4d;
const PE = 0x00004550;
const PE32_PLUS = 0x20b;
/** Place of the certificate table among the directories of a program. */
const CERTIFICATES = 4;
const ENTRY_BYTES = 8;
/** Length, revision and kind before the signature itself. */
const TABLE_HEAD_BYTES = 8;
/** Kind of a table with a CMS message. */
const SIGNED_DATA = 2;
const TABLE_LIMIT = 1_000_000;

/** Returns the layout of a program or library of Windows; null for another file. Reads its headers alone. */
export async function readWindowsProgram(file: FileHandle, size: number): Promise<Layout | null> {
  const dos = await readPart(file, 0, 64, 64);
  if (dos === null || dos.readUInt16LE(0) !== MZ) return null;
  const at = dos.readUInt32LE(0x3c);
  const head = await readPart(file, at, 26, 26);
  if (head === null || head.readUInt32LE(0) !== PE) return null;
  const optionalAt = at + 24;
  const directories = optionalAt + (head.readUInt16LE(24) === PE32_PLUS ? 112 : 96);
  const entryAt = directories + CERTIFICATES * ENTRY_BYTES;
  const entry = await readPart(file, entryAt, ENTRY_BYTES, ENTRY_BYTES);
  if (entry === null) return null;
  const [tableAt, tableSize] = [entry.readUInt32LE(0), entry.readUInt32LE(4)];
  const hasTable = tableAt > entryAt && tableSize > TABLE_HEAD_BYTES && tableAt + tableSize <= size;
  return {
    checksumAt: optionalAt + 64,
    entryAt,
    tableAt: hasTable ? tableAt : size,
    tableSize: hasTable ? tableSize : 0,
  };
}

/** Returns the message with the signature of a program; null without one. Windows itself checks it. */
async function readMessage(file: FileHandle, { tableAt, tableSize }: Layout): Promise<Buffer | null> {
  if (tableSize === 0) return null;
  const table = await readPart(file, tableAt, tableSize, TABLE_LIMIT);
  if (table === null || table.readUInt16LE(6) !== SIGNED_DATA) return null;
  return table.subarray(TABLE_HEAD_BYTES, Math.min(table.readUInt32LE(0), table.length));
}

/** Returns the publisher in the signature of a program; null for one that has no signature that can be read. */
export async function windowsPublisher(file: FileHandle, layout: Layout): Promise<string | null> {
  const message = await readMessage(file, layout);
  return message === null ? null : signerOf(message);
}

/**
 * Returns the SHA-256 of a program that its signature confirms, and that rules of AppLocker and App Control compare: without the
 * checksum, the entry of the certificate table and the table, and filled up to eight bytes as a signing tool fills it.
 */
export async function authenticodeHash(path: string, layout: Layout): Promise<string> {
  const hash = createHash('sha256');
  const { checksumAt, entryAt, tableAt } = layout;
  const parts = [
    [0, checksumAt],
    [checksumAt + 4, entryAt],
    [entryAt + ENTRY_BYTES, tableAt],
  ] as const;
  for (const [start, end] of parts) {
    if (end <= start) continue;
    for await (const piece of createReadStream(path, { start, end: end - 1 })) hash.update(piece as Buffer);
  }
  hash.update(Buffer.alloc(-tableAt & 7));
  return hash.digest('hex');
}
