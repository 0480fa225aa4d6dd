import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { DecodedPages, DocumentToEncode, EncodedEstimate } from '../../server/documents/documents.ts';
import type { OneBitPage } from '../../server/documents/t4/one-bit-page.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { firstDifference, pixelAt } from '../fixtures/bitmaps.ts';
import { receivedPdf } from '../fixtures/damage-levels.ts';
import { denseFile, drawnPages, messageIdOf } from '../fixtures/encoded-message.ts';
import { textPdf } from '../fixtures/make-hostile-pdfs.ts';
import { pagesOfTiff } from '../fixtures/tiff-pages.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const MAX_BYTES = 1e7;
const words = { sender: 'Lakeside Clinic at +1 415 555 0100' };
const KEY = 'correct horse battery staple';
let counter = 0;

function toEncode(content: Buffer, options: Partial<DocumentToEncode> = {}): DocumentToEncode {
  const documentPath = workspace.file(`original-${++counter}.pdf`, content);
  return {
    documentPath,
    name: 'summary.pdf',
    mediaType: 'application/pdf',
    key: null,
    paper: 'letter',
    ...options,
  };
}

async function encode(document: DocumentToEncode, cap = 60): Promise<{ path: string } & EncodedEstimate> {
  const path = join(workspace.folder, `encoded-${++counter}.pdf`);
  const counts = await workspace.documents.encodePages(document, path, {
    messageId: messageIdOf(1),
    words,
    cap,
  });
  return { path, ...counts };
}

async function decode(
  path: string,
  keys: string[] = [],
  maxBytes = MAX_BYTES,
): Promise<{ content: Buffer | null; found: DecodedPages }> {
  const output = join(workspace.folder, `decoded-${++counter}`);
  const found = await workspace.documents.decodePages(path, output, { keys, maxBytes });
  return { found, content: found.state === 'decoded' ? readFileSync(output) : null };
}

/** A received fax of these pages. */
const fax = (pages: readonly OneBitPage[]): string =>
  workspace.file(`fax-${++counter}.pdf`, receivedPdf(pages));

describe('encoded pages', () => {
  it.each([
    ['letter', 'one row of tiles', 300, 1, 0],
    ['letter', 'part of a page', 9000, 1, 0],
    ['letter', 'several pages', 60_000, 3, 1],
    ['a4', 'one row of tiles', 300, 1, 0],
    ['a4', 'several pages', 60_000, 3, 1],
  ] as const)(
    'rule (documents): encoded pages carry a document byte for byte [%s, %s]',
    async (paper, _name, size, dataPages, parityPages) => {
      const content = denseFile(size, size);
      const document = toEncode(content, { paper });
      const estimate = await workspace.documents.estimateEncoded(document);
      const { path, ...counts } = await encode(document);
      expect(counts).toEqual(estimate);
      expect(counts).toMatchObject({ pages: dataPages + parityPages, dataPages, parityPages });
      const { found, content: arrived } = await decode(path);
      expect(found).toMatchObject({
        state: 'decoded',
        keyIndex: null,
        isEncrypted: false,
        messageId: messageIdOf(1),
        document: {
          name: 'summary.pdf',
          mediaType: 'application/pdf',
          sha256: sha256Hex(content),
          sizeBytes: content.length,
        },
      });
      expect(arrived?.equals(content)).toBe(true);
    },
  );

  it('compress what can be compressed', async () => {
    const content = Buffer.from(`%PDF-1.4\n${'A line of a very regular document.\n'.repeat(20_000)}`);
    const { pages, path } = await encode(toEncode(content));
    expect(pages).toBe(1);
    expect((await decode(path)).content?.equals(content)).toBe(true);
  });

  it('refuse a document that needs more pages than may be sent', async () => {
    const document = toEncode(denseFile(60_000, 3));
    const cap = 3;
    await expect(encode(document, cap)).rejects.toMatchObject({ code: 'too_large' });
    expect(await workspace.documents.estimateEncoded(document)).toMatchObject({ pages: 4 });
  });

  it('are counted for a document that is far too large', async () => {
    const document = toEncode(denseFile(8_000_000, 12));
    const dataPages = Math.ceil(8_000_150 / 24_999);
    const counts = { dataPages, parityPages: Math.ceil(dataPages / 10) };
    expect(await workspace.documents.estimateEncoded(document)).toMatchObject(counts);
    await expect(encode(document, 1000)).rejects.toThrow(/at most 255 can be sent/u);
  });

  it('keep their dots on the way to the telephone engine, also below a header line', async () => {
    const content = denseFile(30_000, 4);
    const { path } = await encode(toEncode(content));
    const tiff = join(workspace.folder, 'line.tif');
    const headerLine = { parts: ['Lakeside Clinic', '+1 415 555 0100'], isNumbered: true };
    await workspace.documents.rasterToTiff(path, tiff, { headerLine, cleanGreys: false, resolution: 'fine' });
    const sent = pagesOfTiff(readFileSync(tiff));
    const drawn = drawnPages(content);
    expect(sent).toHaveLength(3);
    for (const [index, page] of sent.entries()) {
      expect(firstDifference(below(page, 156), below(drawn[index]!, 156))).toBeNull();
      expect(below(page, 156).height).toBe(2000);
    }
    const prepared = await workspace.prepare([tiff], 'received.pdf');
    expect((await decode(prepared.path)).content?.equals(content)).toBe(true);
  });

  it('say in plain words what they are, above the dots', async () => {
    const { path } = await encode(toEncode(denseFile(300, 5)));
    const tiff = join(workspace.folder, 'words.tif');
    await workspace.documents.rasterToTiff(path, tiff, {
      headerLine: null,
      cleanGreys: false,
      resolution: 'fine',
    });
    const [page] = pagesOfTiff(readFileSync(tiff));
    const ink = (from: number, to: number): number => {
      let count = 0;
      for (let y = from; y < to; y++) for (let x = 0; x < page!.width; x++) count += pixelAt(page!, x, y);
      return count;
    };
    expect(ink(0, 44)).toBe(0);
    expect(ink(48, 148)).toBeGreaterThan(3000);
    expect(ink(148, 156)).toBe(0);
  });
});

describe('encoded pages that arrive', () => {
  const content = denseFile(12 * 24_000, 6);
  const pages = drawnPages(content);

  it('of which there are more than ten have two parity pages', () => expect(pages).toHaveLength(14));

  const arrivals: [string, OneBitPage[]][] = [
    ['in reverse', pages.toReversed()],
    ['without two of them', pages.filter((_, i) => i !== 0 && i !== 7)],
    ['without the last data page and a parity page', pages.filter((_, i) => i !== 11 && i !== 12)],
    ['twice', [...pages.slice(2), ...pages.slice(2)]],
    [
      'with pages of another fax between them',
      [pages[0]!, drawnPages(denseFile(30_000, 7), { seed: 2 })[1]!, ...pages.slice(1, 12)],
    ],
  ];
  it.each(arrivals)('%s make the document', async (_name, arrived) => {
    const { content: made } = await decode(fax(arrived));
    expect(made?.equals(content)).toBe(true);
  });

  it('of which too many are missing are incomplete', async () => {
    const { found } = await decode(fax([pages[3]!, pages[13]!, pages[0]!, pages[3]!]));
    expect(found).toMatchObject({ state: 'incomplete', have: 3, need: 12, encodedPages: [1, 2, 3, 4] });
  });

  it('after a cover page are found, and pages after two ordinary ones', async () => {
    const short = drawnPages(denseFile(2000, 8));
    const ordinary = (number: number) => drawnText(number);
    const cover = await ordinary(1);
    const { found } = await decode(fax([cover, await ordinary(2), ...short]));
    expect(found).toMatchObject({ state: 'decoded', encodedPages: [3] });
    expect((await decode(fax([cover, ...short, cover]))).found).toMatchObject({
      state: 'decoded',
      encodedPages: [2],
    });
  });

  it('are not searched on every page of a long ordinary fax', async () => {
    const short = drawnPages(denseFile(2000, 9));
    const cover = await drawnText(1);
    const { found } = await decode(fax([cover, cover, cover, ...short, cover, cover]));
    expect(found).toEqual({ state: 'none' });
  });

  it('are none in an ordinary fax', async () => {
    const { found } = await decode(workspace.file('ordinary.pdf', textPdf(5)));
    expect(found).toEqual({ state: 'none' });
  });

  it('never become a document that is larger than allowed', async () => {
    const { found } = await decode(fax(drawnPages(denseFile(2000, 10))), [], 1999);
    expect(found).toMatchObject({ state: 'fingerprint_mismatch' });
  });
});

describe('encrypted encoded pages', () => {
  const content = denseFile(30_000, 11);

  it('are opened by the key among others', async () => {
    const { path } = await encode(toEncode(content, { key: KEY }));
    const { found, content: opened } = await decode(path, ['another', KEY]);
    expect(found).toMatchObject({ state: 'decoded', keyIndex: 1, isEncrypted: true });
    expect(opened?.equals(content)).toBe(true);
  });

  it('need a key, and the right one', async () => {
    const { path } = await encode(toEncode(content, { key: KEY }));
    expect((await decode(path)).found).toMatchObject({ state: 'key_missing', isEncrypted: true });
    expect((await decode(path, ['another'])).found).toMatchObject({ state: 'key_wrong_or_altered' });
  });

  it('are the same key however its accents were typed', async () => {
    const { path } = await encode(toEncode(content, { key: 'caf\u00e9' }));
    expect((await decode(path, ['cafe\u0301'])).found).toMatchObject({ state: 'decoded' });
  });
});

/** A page with a line of text. */
async function drawnText(number: number): Promise<OneBitPage> {
  const tiff = join(workspace.folder, `text-${number}.tif`);
  const path = workspace.file(`text-${number}.pdf`, textPdf(number));
  await workspace.documents.rasterToTiff(path, tiff, {
    headerLine: null,
    cleanGreys: false,
    resolution: 'fine',
  });
  return pagesOfTiff(readFileSync(tiff)).at(-1)!;
}

/** The part of a page from a line on. */
function below(page: OneBitPage, line: number): OneBitPage {
  return { ...page, height: page.height - line, rows: page.rows.subarray(line * page.stride) };
}
