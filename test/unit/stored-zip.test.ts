import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import yauzl from 'yauzl';
import { zipLayout, zipOf, zipSize, zipStream } from '../../server/platform/stored-zip.ts';

const FILES: Record<string, Buffer> = {
  'first.txt': Buffer.from('the first file\n'),
  empty: Buffer.alloc(0),
  'third.bin': Buffer.from([0, 255, 80, 75, 5, 6]),
};
const members = () =>
  Object.entries(FILES).map(([name, bytes]) => ({ name, sizeBytes: bytes.length, crc32: crc32(bytes) }));
const made = () => buffer(zipStream(zipLayout(members()), (name) => [FILES[name] as Buffer]));

it('writes a zip that others read, with the files as they are', async () => {
  const zip = await yauzl.fromBufferPromise(await made(), { lazyEntries: true });
  const read: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry()) {
    expect(entry.crc32).toBe(crc32(FILES[entry.fileName] as Buffer));
    read[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  }
  expect(read).toEqual(FILES);
});

it('has the offset of every byte, without a gap', async () => {
  const parts = zipLayout(members());
  const bytes = await made();
  expect(zipSize(parts)).toBe(bytes.length);
  let at = 0;
  for (const part of parts) {
    expect(part.at).toBe(at);
    const expected = 'bytes' in part ? part.bytes : FILES[part.contentOf];
    expect(bytes.subarray(at, at + part.sizeBytes)).toEqual(expected);
    at += part.sizeBytes;
  }
});

it('writes the same bytes whatever the time and its zone are', async () => {
  const zone = process.env['TZ'];
  const first = await made();
  process.env['TZ'] = 'Pacific/Auckland';
  try {
    expect(await made()).toEqual(first);
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});

it('refuses what needs another format', () => {
  const half = { sizeBytes: 2 ** 31, crc32: 0 };
  expect(() =>
    zipLayout([
      { name: 'one', ...half },
      { name: 'two', ...half },
    ]),
  ).toThrow(RangeError);
});

async function* manyFiles(count: number, bytes: Uint8Array) {
  for (let number = 0; number < count; number += 1) yield { name: `file-${number}.txt`, bytes };
}

it('writes more files than 16 bits can count', async () => {
  const zip = await yauzl.fromBufferPromise(await buffer(zipOf(manyFiles(66_000, Buffer.from('x')))), {
    lazyEntries: true,
  });
  let entries = 0;
  for await (const { fileName } of zip.eachEntry()) {
    expect(fileName).toBe(`file-${entries}.txt`);
    entries += 1;
  }
  expect(entries).toBe(66_000);
});

it('writes places beyond 4 GiB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-zip-'));
  const path = join(folder, 'large.zip');
  const file = await open(path, 'w');
  const zeros = Buffer.alloc(512 * 1024 * 1024);
  async function* files() {
    yield* manyFiles(9, zeros);
    yield { name: 'last.txt', bytes: Buffer.from('the end') };
  }
  try {
    let at = 0;
    for await (const piece of zipOf(files())) {
      // Zeros leave a hole in the file.
      if (piece !== zeros) await file.write(piece, 0, piece.length, at);
      at += piece.length;
    }
    const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
    const sizes: number[] = [];
    for await (const entry of zip.eachEntry()) {
      sizes.push(entry.uncompressedSize);
      if (entry.fileName === 'last.txt')
        expect((await buffer(await zip.openReadStreamPromise(entry))).toString()).toBe('the end');
    }
    zip.close();
    expect(sizes).toEqual([...Array.from({ length: 9 }, () => zeros.length), 7]);
  } finally {
    await file.close();
    await rm(folder, { recursive: true, force: true });
  }
});
