import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import yauzl, { type Entry } from 'yauzl';
import {
  dataDescriptor,
  directoryEnd,
  directoryEntry,
  localHeader,
  type ZipRecord,
  type ZipStyle,
} from '../../server/platform/zip-records.ts';
import { createZipWriter } from '../../server/platform/zip-writer.ts';
import { referee } from '../fixtures/referees.ts';
import { needTools } from '../setup/tools.ts';

const MADE_AT = new Date('2025-03-04T12:00:00Z');
const GIB = 2 ** 30;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-zip-writer-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a zip into the folder and returns its path. */
async function written(name: string, fill: (zip: ReturnType<typeof createZipWriter>) => Promise<void>) {
  const path = join(folder, name);
  const file = await open(path, 'w');
  try {
    const pieces: Uint8Array[] = [];
    const zip = createZipWriter({ write: (bytes) => void pieces.push(bytes), madeAt: MADE_AT });
    await fill(zip);
    await zip.finish('a comment');
    await file.writeFile(Buffer.concat(pieces));
  } finally {
    await file.close();
  }
  return path;
}

async function entriesOf(path: string): Promise<Entry[]> {
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    return entries;
  } finally {
    zip.close();
  }
}

async function contentsOf(path: string): Promise<Record<string, string>> {
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    const contents: Record<string, string> = {};
    for await (const entry of zip.eachEntry())
      contents[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
    return contents;
  } finally {
    zip.close();
  }
}

describe('A zip that is written as it goes', () => {
  test('has files as they are and compressed ones, with their mode and time', async (context) => {
    needTools(context, 'unzip');
    const path = await written('few.zip', async (zip) => {
      await zip.add('tables/one.ndjson', [Buffer.from('a'.repeat(5000)), Buffer.from('b')], {
        compress: true,
      });
      await zip.add('files/ä.pdf', [Buffer.from('%PDF')], { compress: false });
      await zip.add('empty', [], { compress: false });
    });
    expect(await contentsOf(path)).toEqual({
      'tables/one.ndjson': `${'a'.repeat(5000)}b`,
      'files/ä.pdf': '%PDF',
      empty: '',
    });
    const [table, document] = await entriesOf(path);
    expect(table?.compressedSize).toBeLessThan(100);
    expect(document?.compressionMethod).toBe(0);
    expect((document?.externalFileAttributes ?? 0) >>> 16).toBe(0o100600);
    expect(document?.getLastModDate()).toEqual(MADE_AT);
    expect(referee('unzip', ['-t', path]).toString()).toContain('No errors detected');
    expect(referee('unzip', ['-z', path]).toString()).toContain('a comment');
  });

  test('holds more files than 16 bits can count', async (context) => {
    needTools(context, 'unzip');
    const path = await written('many.zip', async (zip) => {
      for (let number = 0; number < 66_000; number += 1)
        await zip.add(`files/${number}`, [Buffer.from(`${number % 7}`)], { compress: false });
    });
    const entries = await entriesOf(path);
    expect(entries).toHaveLength(66_000);
    expect(entries.at(-1)?.fileName).toBe('files/65999');
    expect(referee('unzip', ['-tq', path]).toString()).toContain('No errors detected');
  });

  test('fails with the error of the place that it is written to, and with that of a content', async () => {
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    for (const compress of [false, true]) {
      let taken = 0;
      const write = async () => {
        taken += 1;
        if (taken > 1) throw full;
      };
      const zip = createZipWriter({ write, madeAt: MADE_AT });
      await expect(zip.add('one', [Buffer.from('x')], { compress })).rejects.toBe(full);
      const broken = (async function* () {
        yield Buffer.from('x');
        throw full;
      })();
      const other = createZipWriter({ write: () => undefined, madeAt: MADE_AT });
      await expect(other.add('one', broken, { compress })).rejects.toBe(full);
    }
  });

  test('waits for the place that it is written to', async () => {
    const taken: number[] = [];
    let open = Promise.withResolvers<void>();
    const zip = createZipWriter({
      write: async ({ length }) => {
        taken.push(length);
        await open.promise;
      },
      madeAt: MADE_AT,
    });
    let read = 0;
    const content = function* () {
      for (; read < 3; read += 1) yield Buffer.alloc(10);
    };
    const adding = zip.add('one', content(), { compress: false });
    await expect.poll(() => taken.length).toBe(1);
    expect(read).toBe(0);
    open.resolve();
    await adding;
    expect(read).toBe(3);
    open = Promise.withResolvers();
    open.resolve();
  });
});

describe('The records of a file beyond 4 GiB', () => {
  const STYLE: ZipStyle = {
    madeBy: 0x033f,
    versionNeeded: 20,
    flags: 0x0808,
    time: 0,
    date: 0x0021,
    attributes: 0,
    extra: Buffer.alloc(0),
  };
  const record = (sizes: { packedBytes: number; sizeBytes: number }, method = 8): ZipRecord => ({
    name: Buffer.from('large'),
    method,
    crc32: 7,
    ...sizes,
  });

  /** Reads the entry of a directory that says that the file is so large, and begins there. */
  async function read(one: ZipRecord, at: number): Promise<Entry> {
    const entry = directoryEntry(one, at, STYLE);
    const header = localHeader({ ...one, packedBytes: 0, sizeBytes: 0 }, STYLE);
    const end = directoryEnd({ count: 1, sizeBytes: entry.length, at: header.length }, STYLE);
    const path = join(folder, 'large.zip');
    const file = await open(path, 'w');
    await file.writeFile(Buffer.concat([header, entry, end]));
    await file.close();
    const [found] = await entriesOf(path);
    return found as Entry;
  }

  test.each([
    ['content', { packedBytes: 100, sizeBytes: 5 * GIB }, 0],
    ['compressed content', { packedBytes: 5 * GIB, sizeBytes: 6 * GIB }, 0],
    ['place', { packedBytes: 100, sizeBytes: 200 }, 5 * GIB],
    ['content and place', { packedBytes: 300, sizeBytes: 2 ** 32 - 1 }, 2 ** 32 - 1],
    ['greatest values of 32 bits', { packedBytes: 2 ** 32 - 2, sizeBytes: 2 ** 32 - 2 }, 2 ** 32 - 2],
  ])('say its %s', async (_what, sizes, at) => {
    const entry = await read(record(sizes), at);
    expect([entry.compressedSize, entry.uncompressedSize, entry.relativeOffsetOfLocalHeader]).toEqual([
      sizes.packedBytes,
      sizes.sizeBytes,
      at,
    ]);
    const isLarge = [...Object.values(sizes), at].some((value) => value > 2 ** 32 - 2);
    expect(entry.versionNeededToExtract).toBe(isLarge ? 45 : 20);
  });

  test('follow its content with 64 bits where it needs them', () => {
    const small = dataDescriptor(record({ packedBytes: 3, sizeBytes: 4 }));
    expect(small.toString('hex')).toBe('504b0708070000000300000004000000');
    const large = dataDescriptor(record({ packedBytes: 3, sizeBytes: 2 ** 32 }));
    expect(large.toString('hex')).toBe('504b07080700000003000000000000000000000001000000');
  });
});
