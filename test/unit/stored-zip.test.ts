import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import yauzl from 'yauzl';
import { zipLayout, zipSize, zipStream } from '../../server/platform/stored-zip.ts';

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
