import { readFileSync } from 'node:fs';
import { encodeT6 } from '../../server/documents/t4/encode-t6.ts';
import { randomPage } from '../fixtures/bitmaps.ts';
import { faxPdf } from '../fixtures/fax-pdf.ts';
import { formPdf } from '../fixtures/form-pdf.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { drawingPages, photoPdf } from '../fixtures/make-drawings.ts';
import * as hostile from '../fixtures/make-hostile-pdfs.ts';
import { makeTiff, plainTags, whitePages } from '../fixtures/make-tiffs.ts';
import { mutate } from './mutate.ts';
import { type FuzzSubject, uploadRequest } from './subject.ts';

/** The document process reads two at once; one more waits. */
const CONNECTIONS = 3;
/** A page may take 10 s of work before its document is refused as too complex, and one document may wait for another. */
const HANG_MS = 30_000;

const PDF_WORDS = [
  'obj',
  'endobj',
  'stream\n',
  'endstream',
  'xref',
  'trailer',
  'startxref',
  '/FlateDecode',
  '/DCTDecode',
  '/CCITTFaxDecode /DecodeParms << /K -1 /Columns 99999 >>',
  '/JBIG2Decode',
  '/JPXDecode',
  '/ASCII85Decode',
  '/LZWDecode',
  '/Type /Page',
  '/Type /Pages',
  '/Kids [1 0 R]',
  '/Count -1',
  '/Parent 3 0 R',
  '/MediaBox [0 0 1 999999]',
  '/Rotate 45',
  '/Encrypt 1 0 R',
  '/ObjStm',
  '/Prev 0',
  '<<',
  '>>',
  '[[[[[[[[',
  '(((((((',
  '1 0 R',
  ' Do ',
  ' q '.repeat(50),
  ' 0 0 m 1 1 l S ',
  '/AcroForm << /XFA 1 0 R >>',
  '/JavaScript',
];

/** PDFs: letters, drawings, photographs, forms and hostile ones, changed at random. */
export async function pdfSubject(): Promise<FuzzSubject> {
  const samples = [
    textPdf(1),
    textPdf(3),
    faxPdf([{ widthPx: 1728, lines: 1100, dotsPerInch: 204, linesPerInch: 98 }]),
    formPdf(['name', 'date']),
    drawingPages(2),
    photoPdf(),
    hostile.pageTreeCycle(),
    hostile.falseCount(),
    hostile.missingPage(),
    hostile.nestedForms(),
    hostile.selfCallingForm(),
    hostile.unknownGlyphs(),
    await hostile.doubleFlate(),
  ].filter((sample) => sample.length < 400_000);
  return fileSubject(samples, PDF_WORDS, { name: 'letter.pdf', type: 'application/pdf' });
}

/** TIFFs without compression, in T.4 and T.6, of one and of several pages, changed at random. */
export function tiffSubject(): Promise<FuzzSubject> {
  const page = randomPage(400, 300, 0.1, 7);
  const tags = plainTags(page);
  const samples = [
    makeTiff([{ tags, data: page.rows }]),
    makeTiff([{ tags: { ...tags, 259: 4 }, data: encodeT6(page) }]),
    makeTiff([
      { tags: { ...tags, 259: 4 }, data: encodeT6(page) },
      { tags, data: page.rows },
    ]),
    makeTiff([{ tags: { ...tags, 259: 3, 292: 1 }, data: encodeT6(page) }]),
    whitePages(3),
    ...['compressed', 'stored'].map((name) =>
      readFileSync(new URL(`../fixtures/encoded-pages/${name}.tif`, import.meta.url)),
    ),
  ];
  const words = ['II*\0', 'MM\0*', '\u0001\u0001', '\u0003\u0001', '\0\0\0\0', '\u00ff\u00ff\u00ff\u00ff'];
  return fileSubject(samples, words, { name: 'scan.tif', type: 'image/tiff' });
}

/** Texts in several codings, changed at random. */
export function textSubject(): Promise<FuzzSubject> {
  const letter = 'Dear colleague,\r\n\tplease find the referral below.\fPage 2\r\n'.repeat(20);
  const samples = [
    Buffer.from(letter),
    Buffer.from(
      `\ufeff${letter} \u00e4\u00f6\u00fc \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u4f60\u597d \ud83d\udce0`,
    ),
    Buffer.from(letter, 'utf16le'),
    Buffer.from(`Stra\u00dfe ${letter}`, 'latin1'),
    Buffer.from('x'.repeat(30_000)),
    Buffer.from('\n'.repeat(5_000)),
  ];
  const words = [
    '\f',
    '\t'.repeat(100),
    '\u0000',
    '\u00ff\u00fe',
    '\u00ef\u00bb\u00bf',
    '\u00e2\u0080\u00ae'.repeat(50),
  ];
  return fileSubject(samples, words, { name: 'letter.txt', type: 'text/plain' });
}

function fileSubject(
  samples: readonly Buffer[],
  words: readonly string[],
  file: { readonly name: string; readonly type: string },
): Promise<FuzzSubject> {
  return Promise.resolve({
    connections: CONNECTIONS,
    hangMs: HANG_MS,
    makeRequest(random, { key }) {
      const bytes = mutate(random, random.pick(samples), { words, others: samples });
      return uploadRequest('/fax/preview', key, {}, { ...file, bytes });
    },
  });
}
