import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { drawEncodedPage } from '../../server/documents/encoded-pages/draw-page.ts';
import { writeMessagePage } from '../../server/documents/encoded-pages/page-header.ts';
import { tileRowsFor } from '../../server/documents/encoded-pages/page-layout.ts';
import { blankPage, type OneBitPage } from '../../server/documents/t4/one-bit-page.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { receivedPdf } from '../fixtures/damage-levels.ts';
import {
  denseFile,
  drawnPages,
  FULL_PAGE_BYTES,
  messageIdOf,
  messagePages,
} from '../fixtures/encoded-message.ts';
import { addGarbage } from '../fixtures/line-damage.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace({ memoryLimitBytes: 700 * 1024 * 1024 });
afterAll(async () => await workspace.close());

const MAX_BYTES = 1e6;
const PAPER = 'letter';
let counter = 0;

async function decode(pages: readonly OneBitPage[], keys: string[] = []) {
  const output = join(workspace.folder, `decoded-${++counter}`);
  const path = workspace.file(`fax-${counter}.pdf`, receivedPdf(pages));
  const found = await workspace.documents.decodePages(path, output, { keys, maxBytes: MAX_BYTES });
  return { found, content: found.state === 'decoded' ? readFileSync(output) : null };
}

const draw = (bytes: Uint8Array): OneBitPage => drawEncodedPage(bytes, tileRowsFor(bytes.length), PAPER);

interface Lie {
  meta?: Record<string, unknown> | Buffer;
  content?: Buffer;
  isCompressed?: boolean;
}

/** A page whose codewords and digests are right and whose body lies. */
function lyingPage({
  meta = {},
  content = Buffer.from('%PDF-1.4 short'),
  isCompressed = false,
}: Lie): OneBitPage {
  const honest = {
    name: 'a.pdf',
    type: 'application/pdf',
    length: content.length,
    sha256: sha256Hex(content),
  };
  const metaBytes = Buffer.isBuffer(meta) ? meta : Buffer.from(JSON.stringify({ ...honest, ...meta }));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(metaBytes.length);
  const payload = Buffer.concat([length, metaBytes, content]);
  const header = {
    isCompressed,
    isEncrypted: false,
    messageId: messageIdOf(1),
    sealedBytes: payload.length,
    dataPages: 1,
    parityPages: 0,
    partBytes: 24_000,
  };
  return draw(writeMessagePage({ header, index: 0, payload }));
}

const compressed = (bytes: Buffer): Buffer =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });

describe('a page that lies about what it carries', () => {
  it.each<[string, Lie]>([
    ['another digest', { meta: { sha256: '0'.repeat(64) } }],
    ['more bytes than there are', { meta: { length: 5000 } }],
    ['fewer bytes than there are', { meta: { length: 3 } }],
    ['a negative length', { meta: { length: -1 } }],
    ['no name', { meta: { name: 7 } }],
    ['no meta data', { meta: Buffer.from('{') }],
    ['too much meta data', { meta: { name: 'n'.repeat(3000) } }],
    ['compressed content that is none', { isCompressed: true }],
    [
      '300 MB in a few bytes',
      { content: compressed(Buffer.alloc(3e8)), isCompressed: true, meta: { length: 3e8 } },
    ],
    [
      '300 MB declared as 100 bytes',
      { content: compressed(Buffer.alloc(3e8)), isCompressed: true, meta: { length: 100 } },
    ],
  ])('makes no document: %s', async (_name, lie) => {
    expect((await decode([lyingPage(lie)])).found).toMatchObject({ state: 'fingerprint_mismatch' });
  });

  it('has a name without folders and a type that its content has', async () => {
    const page = lyingPage({ meta: { name: '../../etc/\u202egnp.exe\u0000', type: 'text/html' } });
    expect((await decode([page])).found).toMatchObject({
      document: { name: 'gnp.exe', mediaType: 'application/octet-stream' },
    });
  });
});

describe('a header that lies', () => {
  const header = {
    isCompressed: false,
    isEncrypted: false,
    messageId: messageIdOf(1),
    sealedBytes: 1000,
    dataPages: 1,
    parityPages: 0,
    partBytes: 24_000,
  };

  it.each([
    ['no data pages', { ...header, dataPages: 0 }],
    ['parts of no length', { ...header, partBytes: 0 }],
    ['more pages than its body has', { ...header, dataPages: 9 }],
    ['fewer pages than its body has', { ...header, sealedBytes: 4e9 }],
    ['an empty body', { ...header, sealedBytes: 0 }],
    [
      'more pages than there are numbers',
      { ...header, sealedBytes: 200, partBytes: 1, dataPages: 200, parityPages: 200 },
    ],
  ])('is no encoded page: %s', async (_name, lying) => {
    const page = draw(writeMessagePage({ header: lying, index: 0, payload: new Uint8Array(1000) }));
    expect((await decode([page])).found).toEqual({ state: 'none' });
  });

  it('is no encoded page with any of its bytes altered', async () => {
    const [bytes] = messagePages(denseFile(500, 1));
    for (let at = 0; at < 48; at += 5) {
      const altered = Buffer.from(bytes!);
      altered[at]! ^= 0x10;
      expect((await decode([draw(altered)])).found, `byte ${at}`).toEqual({ state: 'none' });
    }
  });

  it('with an altered payload is lost, and the message incomplete', async () => {
    const [first, second] = messagePages(denseFile(60_000, 2));
    const altered = Buffer.from(second!);
    altered[9000]! ^= 1;
    expect((await decode([draw(first!), draw(altered)])).found).toMatchObject({
      state: 'incomplete',
      have: 1,
      need: 3,
    });
  });

  it('of an encrypted message that was altered opens nothing', async () => {
    const header = {
      isCompressed: false,
      isEncrypted: true,
      messageId: messageIdOf(3),
      sealedBytes: 40,
      dataPages: 1,
      parityPages: 0,
      partBytes: 24_000,
    };
    const page = draw(writeMessagePage({ header, index: 0, payload: new Uint8Array(40) }));
    expect((await decode([page], ['key'])).found).toMatchObject({ state: 'key_wrong_or_altered' });
  });
});

/** A page full of the finders of an encoded page. */
function finderPage(): OneBitPage {
  const [source] = drawnPages(denseFile(300, 1));
  const page = blankPage(source!.width, source!.height);
  for (let y = 0; y < page.height; y++)
    for (let x = 0; x < page.stride; x++)
      page.rows[y * page.stride + x] = source!.rows[(156 + (y % 44)) * source!.stride + 4 + (x % 6)]!;
  return page;
}

/** A page full of random cells between four finders: everything is searched, and nothing can be repaired. */
function garbagePage(seed: number): OneBitPage {
  const [page] = drawnPages(denseFile(FULL_PAGE_BYTES, seed), { seed });
  return addGarbage(page!, 120, 8, seededRandom(seed));
}

function noisePage(seed: number): OneBitPage {
  const random = seededRandom(seed);
  const page = blankPage(1728, 2156);
  for (let i = 0; i < page.rows.length; i++) page.rows[i] = random() * 256;
  return page;
}

describe('a long fax of worst pages', () => {
  it.each<[string, (seed: number) => OneBitPage]>([
    ['noise', noisePage],
    ['finders everywhere', finderPage],
    ['finders around garbage', garbagePage],
  ])('is done in the time of a few pages: %s', async (_name, make) => {
    const page = make(1);
    const start = performance.now();
    expect((await decode(Array.from({ length: 200 }, () => page))).found).toEqual({ state: 'none' });
    expect(performance.now() - start).toBeLessThan(30_000);
  });

  it('is looked at only as far as its first encoded page promises', async () => {
    const [first] = messagePages(denseFile(60_000, 4));
    const [second, third] = messagePages(denseFile(60_000, 4)).slice(1);
    const blank = blankPage(1728, 2156);
    const pages = Array.from({ length: 200 }, () => blank);
    const { found } = await decode([draw(first!), ...pages, draw(second!), draw(third!), blank]);
    expect(found).toMatchObject({ state: 'incomplete', have: 1, need: 3 });
  });

  it('is no encoded page when it is shorter than one', async () => {
    for (const [width, height] of [
      [1728, 1],
      [1728, 40],
      [1728, 300],
      [8, 2000],
    ] as const)
      expect((await decode([blankPage(width, height)])).found).toEqual({ state: 'none' });
  });
});
