import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { drawEncodedPage } from '../../server/documents/encoded-pages/draw-page.ts';
import { fromDrawnBytes, toDrawnBytes } from '../../server/documents/encoded-pages/page-bits.ts';
import { readMessagePage, writeMessagePage } from '../../server/documents/encoded-pages/page-header.ts';
import { parityPart } from '../../server/documents/encoded-pages/page-parity.ts';
import { addRepairBytes, repairCodeword } from '../../server/documents/encoded-pages/reed-solomon.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { firstDifference } from '../fixtures/bitmaps.ts';
import { denseFile, drawnPages } from '../fixtures/encoded-message.ts';
import { openPlainPages, readPlainPage } from '../fixtures/plain-fxe1.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';
import { pagesOfTiff } from '../fixtures/tiff-pages.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const folder = new URL('../fixtures/encoded-pages/', import.meta.url);
const vectors = JSON.parse(readFileSync(new URL('vectors.json', folder), 'utf8')) as {
  key: string;
  codeword: { data: string; repair: string };
  drawn: { dataSha256: string; codewords: number; sha256: string; first: string };
  header: {
    isCompressed: boolean;
    isEncrypted: boolean;
    messageId: string;
    sealedBytes: number;
    dataPages: number;
    parityPages: number;
    partBytes: number;
  };
  page: { index: number; payload: string; bytes: string };
  parity: { parts: string[]; parity: string[] };
  files: { name: string; pages: number; encrypted: boolean; sha256: string }[];
};
const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex');
const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 7 + 3) & 255);

describe('the vectors of encoded pages', () => {
  it('have the repair bytes of a codeword', () => {
    const codeword = new Uint8Array(255);
    codeword.set(bytesOf(vectors.codeword.data));
    addRepairBytes(codeword);
    expect(Buffer.from(codeword.subarray(207)).toString('hex')).toBe(vectors.codeword.repair);
  });

  it('have the bytes of a page as they are drawn', () => {
    const data = counting(vectors.drawn.codewords * 207);
    expect(sha256Hex(data)).toBe(vectors.drawn.dataSha256);
    const drawn = toDrawnBytes(data, vectors.drawn.codewords);
    expect(Buffer.from(drawn.subarray(0, 32)).toString('hex')).toBe(vectors.drawn.first);
    expect(sha256Hex(drawn)).toBe(vectors.drawn.sha256);
  });

  it('have the header of a page', () => {
    const { header, page } = vectors;
    const payload = bytesOf(page.payload);
    expect(writeMessagePage({ header, index: page.index, payload }).toString('hex')).toBe(page.bytes);
    expect(readMessagePage(bytesOf(page.bytes))).toMatchObject({ header, index: page.index });
  });

  it('have the parity pages of parts', () => {
    const parts = vectors.parity.parts.map(bytesOf);
    const made = vectors.parity.parity.map((_, i) => Buffer.from(parityPart(parts, i)).toString('hex'));
    expect(made).toEqual(vectors.parity.parity);
  });

  it.each(vectors.files.map((file) => [file.name, file] as const))(
    'are read by the gateway and by a second implementation: %s',
    async (name, { pages, encrypted, sha256 }) => {
      const path = new URL(name, folder).pathname;
      const { path: pdf } = await workspace.prepare([path], `${name}.pdf`);
      const output = join(workspace.folder, `${name}.original`);
      const keys = encrypted ? [vectors.key] : [];
      const found = await workspace.documents.decodePages(pdf, output, { keys, maxBytes: 1e6 });
      expect(found).toMatchObject({ state: 'decoded', isEncrypted: encrypted, document: { sha256 } });
      const drawn = pagesOfTiff(readFileSync(path));
      expect(drawn).toHaveLength(pages);
      const plain = openPlainPages(drawn.map(readPlainPage), vectors.key);
      expect(plain.content.equals(readFileSync(output))).toBe(true);
      expect(plain).toMatchObject({ name: 'summary.pdf', type: 'application/pdf' });
    },
  );

  it('are drawn again dot by dot', () => {
    const stored = pagesOfTiff(readFileSync(new URL('stored.tif', folder)));
    const again = drawnPages(denseFile(26_000, 77), { seed: 77 });
    for (const [i, page] of again.entries()) expect(firstDifference(page, stored[i]!)).toBeNull();
    const encrypted = pagesOfTiff(readFileSync(new URL('encrypted.tif', folder)));
    expect(
      firstDifference(drawnPages(denseFile(900, 78), { seed: 78, key: vectors.key })[0]!, encrypted[0]!),
    ).toBeNull();
  });
});

describe('a codeword', () => {
  const random = seededRandom(5);
  const spoil = (codeword: Uint8Array, count: number): number[] => {
    const places = new Set<number>();
    while (places.size < count) places.add(Math.floor(random() * 255));
    for (const place of places) codeword[place]! ^= 1 + Math.floor(random() * 255);
    return [...places];
  };
  const fresh = (): Uint8Array => {
    const codeword = Uint8Array.from({ length: 255 }, () => random() * 256);
    addRepairBytes(codeword);
    return codeword;
  };

  it('is repaired with up to 24 wrong bytes, wherever they are', () => {
    for (let count = 0; count <= 24; count++)
      for (let round = 0; round < 5; round++) {
        const codeword = fresh();
        const spoiled = codeword.slice();
        spoil(spoiled, count);
        expect(repairCodeword(spoiled)).toBe(count);
        expect(Buffer.compare(spoiled, codeword)).toBe(0);
      }
  });

  it('is repaired with given up bytes, two for each wrong one', () => {
    for (const [erased, wrong] of [
      [48, 0],
      [36, 6],
      [20, 14],
      [1, 23],
    ] as const) {
      const codeword = fresh();
      const spoiled = codeword.slice();
      const places = spoil(spoiled, erased + wrong);
      expect(repairCodeword(spoiled, places.slice(0, erased))).toBe(erased + wrong);
      expect(Buffer.compare(spoiled, codeword)).toBe(0);
    }
  });

  it('is left as it is with more wrong bytes', () => {
    for (let round = 0; round < 200; round++) {
      const spoiled = fresh();
      spoil(spoiled, 40);
      const before = spoiled.slice();
      expect(repairCodeword(spoiled)).toBeNull();
      expect(Buffer.compare(spoiled, before)).toBe(0);
    }
  });

  it('of a page is repaired without its least certain bytes', () => {
    const codewords = 3;
    const data = counting(codewords * 207);
    const bytes = toDrawnBytes(data, codewords);
    const certainty = new Uint8Array(bytes.length).fill(255);
    for (let i = 0; i < 34 * codewords; i++) {
      bytes[i * 5]! ^= 0x5a;
      certainty[i * 5] = 20;
    }
    expect(Buffer.compare(fromDrawnBytes({ bytes, certainty }, codewords)!.data, data)).toBe(0);
    expect(fromDrawnBytes({ bytes, certainty: certainty.fill(255) }, codewords)).toBeNull();
  });
});

describe('parity pages', () => {
  it('are drawn like any other', () => {
    const pages = drawnPages(denseFile(26_000, 9));
    const { header, payload } = readPlainPage(pages[2]!);
    expect([header[26], header[27], header[28]]).toEqual([2, 1, 2]);
    const again = drawEncodedPage(Buffer.concat([header, payload]), 15, 'letter');
    expect(firstDifference(again, pages[2]!)).toBeNull();
  });
});
