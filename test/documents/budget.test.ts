import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createPdfWriter } from '../../server/documents/pdf/pdf-writer.ts';
import { onePictureOnPages, textPdf } from '../fixtures/make-hostile-pdfs.ts';
import { whitePages } from '../fixtures/make-tiffs.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** Documents that exceed the limits of a whole document, while each of their pages alone would be accepted. */
const MEGABYTE = 1024 * 1024;
const tooComplex = 'The document is too complex to be processed.';
const tooManyPages = 'The document has more than 1,000 pages.';

describe('a document that is refused for all of it together', () => {
  // Time would end most of them as well; here it does not.
  const workspace = openWorkspace({ jobTimeoutMs: 300_000 });
  afterAll(async () => await workspace.close());

  it.each<[string, string, () => Buffer, string]>([
    ['a line of 19 MB of tabs', 'txt', () => Buffer.from(`${'\t'.repeat(19 * MEGABYTE)}x`), tooManyPages],
    ['24 MB of tabs', 'txt', () => Buffer.alloc(24 * MEGABYTE, '\t'), tooComplex],
    ['19 MB of line ends', 'txt', () => Buffer.from(`a${'\n'.repeat(19 * MEGABYTE)}b`), tooManyPages],
    [
      '300 TIFF pages of 190 million pixels',
      'tif',
      () => whitePages(300, { width: 14_000, height: 13_600 }),
      tooComplex,
    ],
    ['300 PDF pages of 190 million pixels', 'pdf', () => onePictureOnPages(300), tooComplex],
  ])('has %s', async (name, kind, make, sentence) => {
    const { code, publicMessage } = await workspace.refusal([workspace.file(`${name}.${kind}`, make())]);
    expect([code, publicMessage]).toEqual(['too_large', sentence]);
  });

  it('has more accents on one letter than any script, whatever time that would take', async () => {
    const text = `${'a\u0323\u0307\n'.repeat(1000)}b${'\u0323\u0307'.repeat(MEGABYTE)}`;
    const { code, publicMessage } = await workspace.refusal([workspace.file('accents.txt', text)]);
    expect([code, publicMessage]).toEqual(['unsupported', expect.stringContaining('more than 30 accents')]);
  });

  it('leaves honest ones alone: blanks at the ends of lines, tabs, and empty lines', async () => {
    const text = `${' '.repeat(5_000_000)}\n\ta\tb${'\t'.repeat(1000)}\n\n`;
    expect((await workspace.prepare([workspace.file('blanks.txt', text)])).pages).toBe(1);
  });
});

describe('work that goes on and on', () => {
  let workspace: Workspace;
  afterEach(async () => await workspace.close());

  it('ends after its time altogether, though each page is quick', async () => {
    workspace = openWorkspace({ maxJobMs: 400 });
    const pdf = workspace.file('long.pdf', textPdf(900));
    const options = { headerLine: null, cleanGreys: false };
    const drawing = workspace.documents.preview(pdf, workspace.folder, options);
    await expect(drawing).rejects.toMatchObject({ code: 'too_large', publicMessage: tooComplex });
  });
});

it('a PDF that is being written is refused at the byte that is too many, not at its end', () => {
  const writer = createPdfWriter(2 * MEGABYTE);
  writer.stream('', Buffer.alloc(MEGABYTE));
  expect(() => writer.stream('', Buffer.alloc(MEGABYTE))).toThrow('The document is larger than 2 MB.');
});
