import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  HEADER_BYTES,
  isSealed,
  openBytes,
  openStream,
  plainSizeOf,
  sealBytes,
  sealStream,
} from '../../server/platform/file-cipher.ts';
import { SealError } from '../../server/platform/seal.ts';
import { createFileSealer } from '../../server/platform/sealed-file.ts';

const PIECE = 256 * 1024;
const SEALED_PIECE = PIECE + 16;
const sealer = createFileSealer(new Uint8Array(32).fill(5));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-sealed-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As a reader with the data key has it, at once and piece by piece; both must agree. */
async function read(sealed: Buffer, by = sealer): Promise<Buffer> {
  const key = by.keyOf(headerOf(sealed));
  const path = join(folder, 'sealed');
  await writeFile(path, sealed);
  await using file = await open(path, 'r');
  const [whole, streamed] = await Promise.allSettled([
    Promise.resolve().then(() => openBytes(key, sealed)),
    buffer(Readable.from(openStream(key, file))),
  ]);
  expect(whole.status).toBe(streamed.status);
  if (whole.status === 'rejected') throw whole.reason;
  expect(streamed.status === 'fulfilled' && whole.value.equals(streamed.value)).toBe(true);
  return whole.value;
}

/** The pieces of a sealed file. */
function piecesOf(sealed: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = HEADER_BYTES; at < sealed.length; at += SEALED_PIECE)
    pieces.push(sealed.subarray(at, at + SEALED_PIECE));
  return pieces;
}

const headerOf = (sealed: Buffer) => sealed.subarray(0, HEADER_BYTES);
const refused = (sealed: Buffer, by = sealer) => expect(read(sealed, by)).rejects.toThrow(SealError);

describe('a sealed file', () => {
  it.each([0, 1, 100, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 20 * PIECE + 7])(
    'gives back %i bytes, however it was written and is read',
    async (size) => {
      const plain = randomBytes(size);
      const digest = createHash('sha256').update(plain).digest('hex');
      const parts = Readable.from([
        plain.subarray(0, 10),
        plain.subarray(10, 70_000),
        plain.subarray(70_000),
      ]);
      const streamed = await buffer(sealStream(sealer.newKey(), parts as AsyncIterable<Uint8Array>));
      for (const sealed of [sealBytes(sealer.newKey(), plain), streamed]) {
        expect(plainSizeOf(sealed.length)).toBe(size);
        expect(isSealed(sealed)).toBe(true);
        expect(
          createHash('sha256')
            .update(await read(sealed))
            .digest('hex'),
        ).toBe(digest);
      }
    },
  );

  it('shows nothing of what it holds, and is another one each time', () => {
    const plain = Buffer.from('a known word '.repeat(1000));
    const key = sealer.newKey();
    const [one, two] = [sealBytes(key, plain), sealBytes(key, plain)];
    expect(one.includes('known')).toBe(false);
    expect(one.subarray(HEADER_BYTES).equals(two.subarray(HEADER_BYTES))).toBe(false);
  });

  it('does not open with another data key', async () => {
    const other = createFileSealer(new Uint8Array(32).fill(6));
    await refused(sealBytes(sealer.newKey(), randomBytes(10)), other);
  });

  it('does not open when it was cut off, at the end of a piece too', async () => {
    const sealed = sealBytes(sealer.newKey(), randomBytes(3 * PIECE));
    const cuts = [
      1,
      16,
      100,
      SEALED_PIECE - 10,
      SEALED_PIECE,
      2 * SEALED_PIECE,
      3 * SEALED_PIECE - 16,
      3 * SEALED_PIECE,
    ];
    for (const cut of cuts) await refused(sealed.subarray(0, sealed.length - cut));
  });

  it('does not open when pieces changed places, or were left out, repeated or added', async () => {
    const sealed = sealBytes(sealer.newKey(), randomBytes(3 * PIECE));
    const [a, b, c] = piecesOf(sealed) as [Buffer, Buffer, Buffer];
    for (const pieces of [
      [b, a, c],
      [a, c],
      [b, c],
      [a, b, b, c],
      [a, b, c, c],
      [a, b, c, randomBytes(40)],
    ])
      await refused(Buffer.concat([headerOf(sealed), ...pieces]));
  });

  it('does not open with a piece or a header of another file', async () => {
    const one = sealBytes(sealer.newKey(), randomBytes(2 * PIECE));
    const two = sealBytes(sealer.newKey(), randomBytes(2 * PIECE));
    await refused(Buffer.concat([headerOf(one), piecesOf(two)[0] as Buffer, piecesOf(one)[1] as Buffer]));
    await refused(Buffer.concat([headerOf(one), ...piecesOf(two)]));
    // Two files of one key are two files.
    const key = sealer.newKey();
    const [first, second] = [sealBytes(key, randomBytes(5)), sealBytes(key, randomBytes(5))];
    await refused(Buffer.concat([headerOf(first), ...piecesOf(second)]));
  });

  it('does not open when any of its bytes was altered', async () => {
    const sealed = sealBytes(sealer.newKey(), randomBytes(PIECE + 50));
    // Of each part of the header, of both pieces and their tags.
    const places = [8, 20, 52, 68, 83, 84, 5000, 84 + PIECE, 84 + SEALED_PIECE, sealed.length - 1];
    for (const place of places) {
      const altered = Buffer.from(sealed);
      altered[place] = (altered[place] ?? 0) ^ 1;
      await refused(altered);
    }
  });
});
