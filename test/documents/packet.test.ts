import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { DocumentError, type DocumentSource, type PacketResult } from '../../server/documents/documents.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { flate, onePage, rawPdf, rawStream } from '../fixtures/pdf-parts.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { framedPdf, sheetPdf } from '../fixtures/sheet-pdf.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const poppler = unlessMissing('pdftotext', 'pdffonts');
/** Lines of the header, and of the number below it. */
const HEADER = 44;
const STRIP = 80;
const MAX_BYTES = 25 * 1024 * 1024;
const A4 = { width: 595, height: 842 };
const A4_LINES = 2286;
let counter = 0;

type Document = { title: string; pdf: Buffer } | { title: string; note: string };

const sourceOf = (bytes: Uint8Array): DocumentSource => ({
  bytes: Uint8Array.from(bytes),
  fileName: 'document.pdf',
  declaredType: 'application/pdf',
});

async function compose(documents: readonly Document[], maxBytes = MAX_BYTES): Promise<PacketResult> {
  return workspace.documents.packet(
    {
      caseId: '4711',
      heading: ['To: Lab Müller 検査, +1 202-555-0123'],
      entries: documents.map((document) => ({
        title: document.title,
        note: 'note' in document ? document.note : null,
      })),
      sources: documents.flatMap((document) => ('pdf' in document ? sourceOf(document.pdf) : [])),
    },
    join(workspace.folder, `packet-${counter++}.pdf`),
    { maxBytes },
  );
}

interface Picture {
  readonly lines: number;
  /** Rows from `from` to before `to`, one byte for each pixel. */
  rows(from: number, to: number): Buffer;
}

/** Draws the pages of a PDF as the far machine prints them. */
async function draw(path: string, isHeaded = false): Promise<Picture[]> {
  const folder = join(workspace.folder, `pictures-${counter++}`);
  mkdirSync(folder);
  const headerLine = isHeaded ? { parts: ['Example Clinic'], isNumbered: true } : null;
  const { pages } = await workspace.documents.preview(path, folder, { headerLine, cleanGreys: false });
  return Promise.all(
    pages.map(async ({ pngPath }) => {
      const { data, info } = await sharp(pngPath)
        .toColourspace('b-w')
        .raw()
        .toBuffer({ resolveWithObject: true });
      const rows = (from: number, to: number) =>
        data.subarray(from * info.width, Math.min(to, info.height) * info.width);
      return { lines: info.height, rows };
    }),
  );
}

const inkOf = (rows: Buffer): number => rows.reduce((sum, pixel) => sum + (pixel < 128 ? 1 : 0), 0);
const last = (pictures: readonly Picture[]): Picture => pictures.at(-1) as Picture;
const pagesText = (path: string): string[] =>
  referee('pdftotext', ['-layout', path, '-']).toString().split('\f');

describe('a case packet', () => {
  it.skipIf(poppler.skip)(
    'rule (documents): A case packet has an index, a page with its title before each document, and the page number on every page',
    async () => {
      const packet = await compose([
        { title: 'Lab results 検査', pdf: textPdf(2) },
        { title: 'Old letter', note: 'Already sent on Nov 3, 2026 (1 page), not sent again.' },
        { title: 'Referral', pdf: framedPdf(A4) },
      ]);
      expect(packet).toMatchObject({
        pages: 6,
        documents: [{ pages: 2, firstPage: 3 }, null, { pages: 1, firstPage: 6 }],
      });
      const file = readFileSync(packet.path);
      expect(packet.sha256).toBe(createHash('sha256').update(file).digest('hex'));
      expect(packet.sizeBytes).toBe(file.length);
      const texts = pagesText(packet.path);
      for (let page = 1; page <= 6; page++) expect(texts[page - 1]).toContain(`case 4711, page ${page} of 6`);
      expect(texts[0]).toMatch(/1\. Lab results 検査 +2 +3\n/u);
      expect(texts[0]).toContain('Already sent on Nov 3, 2026 (1 page), not sent again.');
      expect(texts[0]).toMatch(/3\. Referral +1 +6\n/u);
      expect(texts[0]).toContain('To: Lab Müller 検査, +1 202-555-0123');
      expect(texts[1]).toMatch(/Document 1 of 3[\s\S]+Lab results 検査[\s\S]+2 pages: 3 to 4/u);
      expect(texts[2]).toContain('Page 1, line 1 of a long document');
      expect(texts[3]).toContain('Page 2, line 40 of a long document');
      expect(texts[4]).toContain('Document 3 of 3');
    },
  );

  it('leaves a page as it is whose strip is free', async () => {
    const path = workspace.file('letter.pdf', textPdf(1));
    const [before] = await draw(path);
    const after = last(await draw((await compose([{ title: 'Letter', pdf: textPdf(1) }])).path));
    expect(after.lines).toBe(before?.lines);
    expect(inkOf(after.rows(HEADER, STRIP))).toBeGreaterThan(0);
    expect(after.rows(STRIP, A4_LINES).equals(before?.rows(STRIP, A4_LINES) as Buffer)).toBe(true);
  });

  it.each([
    ['A4', A4, A4_LINES],
    ['A4 turned', { width: 842, height: 595, more: '/Rotate 90' }, A4_LINES],
    // There is still room for the strip on the paper.
    ['Letter', { width: 612, height: 792 }, 2229],
    ['a note of a third of a page', { width: 595, height: 280 }, 861],
  ])(
    'gives the number a strip of its own on a page that is printed to its edges: %s',
    async (_name, size, lines) => {
      const packet = await compose([{ title: 'Frame', pdf: framedPdf(size) }]);
      const page = last(await draw(packet.path, true));
      expect(page.lines).toBe(lines);
      const line = (at: number) => inkOf(page.rows(at, at + 1));
      // The frame begins below the strip, and goes down to the edge of the paper.
      expect([...Array(STRIP - 1).keys()].some((at) => line(at) > 1000)).toBe(false);
      expect([STRIP, STRIP + 1, STRIP + 2].some((at) => line(at) > 1500)).toBe(true);
      expect(line(lines - 3)).toBeGreaterThan(1500);
      // The number does not touch the header line above it, nor the frame below.
      expect(line(HEADER)).toBe(0);
      expect(line(STRIP - 2)).toBe(0);
      expect(inkOf(page.rows(HEADER, STRIP))).toBeGreaterThan(0);
    },
  );

  it('has the form fields and stamps of its documents, as they are printed', async () => {
    const stamped = onePage(
      rawStream('', ''),
      '',
      [rawStream('/Type /XObject /Subtype /Form /BBox [0 0 200 100]', '0 g 0 0 200 100 re f')],
      '/MediaBox [0 0 595 842] /Annots [<< /Type /Annot /Subtype /Stamp /F 4 /Rect [100 300 300 400] /AP << /N 5 0 R >> >>]',
    );
    const [before] = await draw(workspace.file('stamped.pdf', stamped));
    const ink = inkOf(before?.rows(STRIP, A4_LINES) as Buffer);
    expect(ink).toBeGreaterThan(100_000);
    const after = last(await draw((await compose([{ title: 'Stamped', pdf: stamped }])).path));
    expect(after.rows(STRIP, A4_LINES).equals(before?.rows(STRIP, A4_LINES) as Buffer)).toBe(true);
  });

  it('has what the pages of a document share once', async () => {
    const picture = flate(
      '/Type /XObject /Subtype /Image /Width 300 /Height 300 /ColorSpace /DeviceGray /BitsPerComponent 8',
      Buffer.from(Array.from({ length: 90_000 }, (_, i) => (i * i * 7919) % 251)),
    );
    const pages = 20;
    const shared = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${Array.from({ length: pages }, (_, i) => `${i + 5} 0 R`).join(' ')}] /Count ${pages} >>`,
      picture,
      rawStream('', 'q 300 0 0 300 100 100 cm /P Do Q'),
      ...Array.from(
        { length: pages },
        () =>
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /P 3 0 R >> >> /Contents 4 0 R >>',
      ),
    ]);
    const packet = await compose([{ title: 'Letters', pdf: shared }]);
    expect(packet.sizeBytes).toBeLessThan(shared.length + 80_000);
  });

  it('goes on with its index on further pages', async () => {
    const documents = Array.from({ length: 50 }, (_, i) => ({
      title: `${'A very long title of a document '.repeat(5)}${i + 1}`,
      pdf: sheetPdf(A4, ''),
    }));
    const packet = await compose(documents);
    const [first, second] = packet.documents;
    const indexPages = (first?.firstPage ?? 0) - 2;
    expect(indexPages).toBeGreaterThan(1);
    expect(second?.firstPage).toBe(indexPages + 4);
    expect(packet.pages).toBe(indexPages + 100);
  });

  it.each([
    [
      'damaged',
      Buffer.from('%PDF-1.7\nnothing'),
      'invalid',
      /^Document 2, "Lab results": The PDF is damaged/u,
    ],
    ['no PDF', Buffer.from('plain text'), 'unsupported', /^Document 2, "Lab results": /u],
  ])('names the document that cannot be sent: %s', async (_name, pdf, code, sentence) => {
    const refused = await compose([
      { title: 'Referral', pdf: framedPdf(A4) },
      { title: 'Lab "results"', pdf },
    ]).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DocumentError);
    expect(refused).toMatchObject({ code, publicMessage: expect.stringMatching(sentence) });
  });

  it('is refused when it is larger or longer than a fax can be', async () => {
    await expect(compose([{ title: 'A', pdf: textPdf(1) }], 1000)).rejects.toMatchObject({
      code: 'too_large',
    });
    const long = await workspace.prepare([workspace.file('long.txt', 'x\f'.repeat(999))], 'long.pdf');
    await expect(compose([{ title: 'Long', pdf: readFileSync(long.path) }])).rejects.toMatchObject({
      code: 'too_large',
      publicMessage: 'The document has more than 1,000 pages.',
    });
  });
});
