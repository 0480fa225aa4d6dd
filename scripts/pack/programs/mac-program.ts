import type { FileHandle } from 'node:fs/promises';
import { readPart } from './bytes.ts';
import { signerOf } from './message-signer.ts';

const MACHO_64 = 0xfeed_facf;
const MACHO_32 = 0xfeed_face;
/** Several programs in one file, each for another processor. */
const FAT = 0xcafe_babe;
const FAT_64 = 0xcafe_babf;
/** Java's classes begin as such a file does, with a much larger number in this place. */
const MOST_PROCESSORS = 16;
const COMMANDS_LIMIT = 1_000_000;
const LC_CODE_SIGNATURE = 0x1d;
const SIGNATURE = 0xfade_0cc0;
const MOST_PARTS = 64;
/** Part with the message of the certificate, and the bytes before the message itself. */
const MESSAGE_PART = 0x1_0000;
const PART_HEAD_BYTES = 8;
const MESSAGE_LIMIT = 1_000_000;

/** Returns the places of the programs in a file of macOS, one for each processor; none for another file. */
export async function macPrograms(file: FileHandle): Promise<number[]> {
  const head = await readPart(file, 0, 8, 8);
  if (head === null) return [];
  if ([MACHO_64, MACHO_32].includes(head.readUInt32LE(0))) return [0];
  const kind = head.readUInt32BE(0);
  const count = head.readUInt32BE(4);
  if ((kind !== FAT && kind !== FAT_64) || count === 0 || count > MOST_PROCESSORS) return [];
  const size = kind === FAT ? 20 : 32;
  const entries = await readPart(file, 8, count * size, MOST_PROCESSORS * 32);
  if (entries === null) return [];
  return Array.from({ length: count }, (_, index) =>
    kind === FAT ? entries.readUInt32BE(index * size + 8) : Number(entries.readBigUInt64BE(index * size + 8)),
  );
}

/** Signature of a program of macOS. Without a certificate it counts on the computer that made it alone. */
interface MacSignature {
  readonly hasCertificate: boolean;
  /** Null where it cannot be read. */
  readonly publisher: string | null;
}

/** Reads the signature of a program from the parts of the file that have it; null without one. macOS itself checks it. */
export async function macSignature(file: FileHandle, at: number): Promise<MacSignature | null> {
  const place = await signaturePlace(file, at);
  const head = place === null ? null : await readPart(file, place, 12, 12);
  if (place === null || head === null || head.readUInt32BE(0) !== SIGNATURE) return null;
  const count = head.readUInt32BE(8);
  const index = await readPart(file, place + 12, count * 8, MOST_PARTS * 8);
  if (index === null) return null;
  const parts = Array.from({ length: count }, (_, each) => each * 8);
  const part = parts.find((each) => index.readUInt32BE(each) === MESSAGE_PART);
  const partAt = part === undefined ? null : place + index.readUInt32BE(part + 4);
  const partHead = partAt === null ? null : await readPart(file, partAt, PART_HEAD_BYTES, PART_HEAD_BYTES);
  const length = (partHead?.readUInt32BE(4) ?? 0) - PART_HEAD_BYTES;
  if (partAt === null || length <= 0) return { hasCertificate: false, publisher: null };
  const message = await readPart(file, partAt + PART_HEAD_BYTES, length, MESSAGE_LIMIT);
  return { hasCertificate: message !== null, publisher: message === null ? null : signerOf(message) };
}

async function signaturePlace(file: FileHandle, at: number): Promise<number | null> {
  const head = await readPart(file, at, 32, 32);
  if (head === null) return null;
  const is64 = head.readUInt32LE(0) === MACHO_64;
  const [count, size] = [head.readUInt32LE(16), head.readUInt32LE(20)];
  const commands = await readPart(file, at + (is64 ? 32 : 28), size, COMMANDS_LIMIT);
  if (commands === null) return null;
  let place = 0;
  for (let done = 0; done < count && place + 16 <= commands.length; done++) {
    const length = commands.readUInt32LE(place + 4);
    if (commands.readUInt32LE(place) === LC_CODE_SIGNATURE) return at + commands.readUInt32LE(place + 8);
    if (length < 8) return null;
    place += length;
  }
  return null;
}
