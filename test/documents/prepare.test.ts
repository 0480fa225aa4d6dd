import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { DOCUMENT_TYPE_CHOICE } from '../../shared/document-types.ts';
import { fromNetpbm } from '../fixtures/bitmaps.ts';
import { drawingPdf } from '../fixtures/make-drawings.ts';
import { textPdf } from '../fixtures/make-hostile-pdfs.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { openWorkspace, sourceOf } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const poppler = unlessMissing('pdftotext', 'pdfinfo', 'pdftoppm');
const wordFile = 'Faxdesk can’t read this kind of Word file. Save it as a PDF.';
const wrongKind = `Faxdesk can’t read this kind of file. Use ${DOCUMENT_TYPE_CHOICE}.`;

async function textOf(name: string, content: Uint8Array | string): Promise<string[]> {
  const { path } = await workspace.prepare([workspace.file(name, content)], 'text.pdf');
  const pages = referee('pdftotext', ['-layout', '-enc', 'UTF-8', path, '-']).toString().split('\f');
  return pages.slice(0, -1).map((page) => page.trimEnd());
}

async function pagesOf(text: string): Promise<number> {
  return (await workspace.prepare([workspace.file('count.txt', text)])).pages;
}

describe('a text file', () => {
  it('has 60 rows a page, and a final line break adds no row', async () => {
    const row = 'a row\n';
    expect(await pagesOf(row.repeat(60))).toBe(1);
    expect(await pagesOf(row.repeat(60).trimEnd())).toBe(1);
    expect(await pagesOf(row.repeat(61))).toBe(2);
    expect(await pagesOf('one\n\ftwo\f')).toBe(2);
    expect(await pagesOf('\n')).toBe(1);
  });

  it('becomes the same PDF byte for byte when the text is the same', async () => {
    const file = workspace.file('same.txt', 'The same text, 漢字 and all\n');
    const [first, second] = [
      await workspace.prepare([file], 'a.pdf'),
      await workspace.prepare([file], 'b.pdf'),
    ];
    expect(first.sha256).toBe(second.sha256);
    const bytes = readFileSync(first.path);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(first.sha256);
    expect(first.sizeBytes).toBe(bytes.length);
    expect(bytes.includes('CreationDate')).toBe(false);
  });

  it.skipIf(poppler.skip)(`keeps tabs, form feeds and long lines${poppler.reason}`, async () => {
    const long = 'x'.repeat(200);
    const pages = await textOf('shape.txt', `a\tb\r\nsecond\r${long}\f${'word '.repeat(30)}`);
    expect(pages).toHaveLength(2);
    expect(
      pages[0]!
        .split('\n')
        .filter((row) => row !== '')
        .map((row) => row.trim()),
    ).toEqual([expect.stringMatching(/^a +b$/), 'second', 'x'.repeat(80), 'x'.repeat(80), 'x'.repeat(40)]);
    const rows = pages[1]!.split('\n').filter((row) => row !== '');
    expect(rows.map((row) => row.trim().split(' ').length)).toEqual([16, 14]);
  });

  const sentence = 'Größe: 5 € – „Übung“ Ελλάδα Москва 漢字かなカナ，';
  it.skipIf(poppler.skip).each<[string, () => Buffer, string]>([
    ['UTF-8', () => Buffer.from(sentence), sentence],
    ['UTF-8 with a mark', () => Buffer.from(`\ufeff${sentence}`), sentence],
    ['UTF-16 LE with a mark', () => Buffer.from(`\ufeff${sentence}`, 'utf16le'), sentence],
    ['UTF-16 BE with a mark', () => Buffer.from(`\ufeff${sentence}`, 'utf16le').swap16(), sentence],
    [
      'Windows-1252',
      () => Buffer.from('Gr\xf6\xdfe: 5 \x80 \x96 \x84\xdcbung\x93', 'latin1'),
      'Größe: 5 € – „Übung“',
    ],
  ])(`in %s keeps its characters${poppler.reason}`, async (_name, encode, expected) => {
    const [page] = await textOf('encoding.txt', encode());
    expect(page!.replace(/\s+/g, '')).toBe(expected.replace(/\s+/g, ''));
  });

  it.each([
    ['Arabic', 'مرحبا', /script that cannot be printed/],
    ['Hebrew', 'שלום', /script that cannot be printed/],
    ['Devanagari', 'नमस्ते', /script that cannot be printed/],
    ['Thai', 'สวัสดี', /script that cannot be printed/],
    ['Korean', 'line\n한국어', /^Line 2 contains "한" \(U\+D55C\)/],
    ['a picture character', 'hello 🦄', /U\+1F984/],
  ])('in %s is refused with the script or character that cannot be printed', async (name, text, pattern) => {
    const refusal = await workspace.refusal([workspace.file(`${name}.txt`, text)]);
    expect(refusal.code).toBe('unsupported');
    expect(refusal.publicMessage).toMatch(pattern);
  });

  it('of 10 MB is refused for too many pages before it is drawn', async () => {
    const text = `${'A line of an endless report. '.repeat(2)}\n`.repeat(180_000);
    const refusal = await workspace.refusal([workspace.file('long.txt', text)]);
    expect([refusal.code, refusal.publicMessage]).toEqual([
      'too_large',
      'The document has more than 1,000 pages.',
    ]);
  });

  it('of hundreds of pages is accepted', async () => {
    expect(await pagesOf('A line of a long report.\n'.repeat(60 * 400))).toBe(400);
  });

  it.each<[string, Buffer, string, string]>([
    ['control characters', Buffer.from('abc\x01\x02\x03'), 'unsupported', wrongKind],
    [
      'control characters late in the file',
      Buffer.from(`${'a'.repeat(9000)}\x00\x01`),
      'unsupported',
      'The document is not a text file.',
    ],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 167 + (i >> 3)) & 255)),
      'unsupported',
      wrongKind,
    ],
    [
      'half a character of UTF-16',
      Buffer.from([0xff, 0xfe, 0x41, 0, 0x42]),
      'invalid',
      'The text file is damaged.',
    ],
  ])('with %s is refused', async (name, bytes, code, sentence) => {
    const refusal = await workspace.refusal([workspace.file(`${name}.txt`, bytes)]);
    expect([refusal.code, refusal.publicMessage]).toEqual([code, sentence]);
  });
});

describe('a document', () => {
  it('has the kind of its content when its name does not contradict it', async () => {
    const png = await sharp({ create: { width: 50, height: 50, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    expect((await workspace.prepare([workspace.file('picture', png)])).sourceMediaType).toBe('image/png');
    expect((await workspace.prepare([workspace.file('letter.txt', textPdf(1))])).sourceMediaType).toBe(
      'application/pdf',
    );
  });

  it.each<[string, string | Buffer, string]>([
    ['referral.pdf', '<!DOCTYPE html><html><body>Sign in</body></html>', 'a PDF, $ a web page (HTML).'],
    ['form.pdf', '%!PS-Adobe-3.0\nshowpage', 'a PDF, $ program text.'],
    ['fake.pdf', 'Only text.', 'a PDF, $ plain text.'],
    ['letter.PDF', 'PK\x03\x04\x00\x00', 'a PDF, $ an Office document or an archive.'],
    ['drawing.tiff', 'CAD \x00\x01\x02', 'a TIFF image, $ of another kind.'],
    ['scan.tif', textPdf(1), 'a TIFF image, $ a PDF.'],
    ['photo.jpg', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'a JPEG image, $ a PNG image.'],
    ['drawing.png', Buffer.from([0xff, 0xd8, 0xff]), 'a PNG image, $ a JPEG image.'],
    ['letter.doc', 'Only text.', 'an Office document, $ plain text.'],
    ['letter.docx', 'Only text.', 'a Word document (DOCX), $ plain text.'],
    ['page.html', 'Only text.', 'a web page (HTML), $ plain text.'],
  ])(
    'named %s is refused when its content has another kind, and the refusal names both',
    async (name, content, kinds) => {
      const refusal = await workspace.refusal([workspace.file(name, content)]);
      const sentence = `The name of this file says it is ${kinds.replace('$', 'but its content is')}`;
      expect([refusal.code, refusal.publicMessage]).toEqual(['unsupported', sentence]);
    },
  );

  it.each([
    ['a drawing', 'house.cad', 'CAD \x00\x01\x02', wrongKind],
    ['a ZIP', 'letters.zip', 'PK\x03\x04\x00\x00', wrongKind],
    ['a Word file with macros', 'letter.docm', 'PK\x03\x04\x00\x00', wordFile],
    ['program text', 'form.ps', '%!PS-Adobe-3.0\nshowpage', wrongKind],
  ])('is refused when it is %s', async (_kind, name, content, sentence) => {
    const refusal = await workspace.refusal([workspace.file(name, content)]);
    expect([refusal.code, refusal.publicMessage]).toEqual(['unsupported', sentence]);
  });

  it('is refused when it is empty or over the limit', async () => {
    expect((await workspace.refusal([workspace.file('empty.pdf', '')])).publicMessage).toBe(
      'The document is empty.',
    );
    const large = await workspace.refusal(
      [workspace.file('large.txt', 'x'.repeat(2 * 1024 * 1024))],
      1024 * 1024,
    );
    expect([large.code, large.publicMessage]).toEqual(['too_large', 'The document is larger than 1 MB.']);
  });
});

describe('PNG and JPEG', () => {
  const create = { width: 300, height: 200, channels: 3, background: { r: 200, g: 30, b: 30 } } as const;

  it.skipIf(poppler.skip)(
    `fill a portrait or landscape page by their own orientation${poppler.reason}`,
    async () => {
      const { path } = await workspace.prepare([
        workspace.file('across.png', await sharp({ create }).png().toBuffer()),
      ]);
      expect(referee('pdfinfo', [path]).toString()).toMatch(/Page size: +841.89 x 595.28/);
    },
  );

  it.skipIf(poppler.skip)(`are rotated by their EXIF orientation${poppler.reason}`, async () => {
    const jpeg = await sharp({ create }).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const { path } = await workspace.prepare([workspace.file('turned.jpg', jpeg)]);
    expect(referee('pdfinfo', [path]).toString()).toMatch(/Page size: +595.28 x 841.89/);
  });

  it.skipIf(poppler.skip)(
    `keep the paper size that follows from their resolution${poppler.reason}`,
    async () => {
      const scan = { ...create, width: 1654, height: 2339 };
      const png = await sharp({ create: scan }).withMetadata({ density: 200 }).png().toBuffer();
      const { path } = await workspace.prepare([workspace.file('scan.png', png)]);
      expect(referee('pdfinfo', [path]).toString()).toMatch(/Page size: +595\.\d+ x 842\.\d+/);
    },
  );

  it.skipIf(poppler.skip)(`are white where they are transparent${poppler.reason}`, async () => {
    const clear = {
      width: 400,
      height: 600,
      channels: 4,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    } as const;
    const { path } = await workspace.prepare([
      workspace.file('clear.png', await sharp({ create: clear }).png().toBuffer()),
    ]);
    const page = fromNetpbm(referee('pdftoppm', ['-r', '50', '-gray', path]));
    expect(page.rows.every((byte) => byte === 0)).toBe(true);
  });

  it('are refused when they are truncated or declare too many pixels', async () => {
    const noise = Buffer.from(Array.from({ length: 90_000 }, (_, i) => (i * i * 31) & 255));
    const raw = { width: 300, height: 100, channels: 3 } as const;
    const whole = {
      'cut.jpg': await sharp(noise, { raw }).jpeg().toBuffer(),
      'cut.png': await sharp(noise, { raw }).png().toBuffer(),
    };
    for (const [name, bytes] of Object.entries(whole)) {
      const refusal = await workspace.refusal([workspace.file(name, bytes.subarray(0, bytes.length >> 1))]);
      expect(refusal.code).toBe('invalid');
      expect(refusal.publicMessage).toMatch(/^The (JPEG|PNG) is damaged or incomplete\.$/);
    }
    const bomb = Buffer.from(whole['cut.png']);
    bomb.writeUInt32BE(40_000, 16);
    bomb.writeUInt32BE(40_000, 20);
    expect(['too_large', 'invalid']).toContain(
      (await workspace.refusal([workspace.file('bomb.png', bomb)])).code,
    );
  });
});

describe('a PDF with a digest from the upload', () => {
  it('is parsed once: the next file with that digest becomes a hard link without being parsed', async () => {
    const digest = createHash('sha256').update(textPdf(2)).digest('hex');
    const send = async (name: string, content: Uint8Array) => {
      const path = workspace.file(name, content);
      chmodSync(path, 0o600);
      const source = { ...sourceOf(path), digest };
      const output = join(workspace.folder, `prepared-${name}`);
      return workspace.documents.prepare([source], output, { maxBytes: 1e7 });
    };
    expect(await send('first.pdf', textPdf(2))).toMatchObject({ sha256: digest, pages: 2, isUpload: true });
    // A damaged PDF, which is refused when it is parsed.
    const damaged = Buffer.concat([textPdf(2).subarray(0, 20), Buffer.from('no more')]);
    const linked = await send('again.pdf', damaged);
    expect(linked).toMatchObject({ sha256: digest, pages: 2, sizeBytes: damaged.length, isUpload: true });
    expect(statSync(linked.path).nlink).toBe(2);
    expect((await workspace.refusal([workspace.file('other.pdf', damaged)])).code).toBe('invalid');
  });
});

describe('several documents', () => {
  it('are merged in their order', async () => {
    const files = [
      workspace.file('1.txt', 'one\ftwo'),
      workspace.file('2.pdf', textPdf(3)),
      workspace.file('3.pdf', drawingPdf(300, 400)),
    ];
    const prepared = await workspace.prepare(files, 'merged.pdf');
    expect([prepared.pages, prepared.sourceMediaType]).toEqual([6, 'application/pdf']);
    expect(await workspace.documents.inspectPdf(prepared.path)).toEqual({ pages: 6 });
    if (poppler.skip) return;
    const text = referee('pdftotext', [prepared.path, '-']).toString();
    expect(
      text
        .split('\f')
        .map((page) => page.trim().split('\n')[0])
        .slice(0, 5),
    ).toEqual(['one', 'two', 'This is page 1', 'This is page 2', 'This is page 3']);
  });

  it('are refused with the name of the damaged one', async () => {
    const refusal = await workspace.refusal([
      workspace.file('good.txt', 'fine'),
      workspace.file('bad.pdf', '%PDF-1.4 nonsense'),
    ]);
    expect(refusal.publicMessage).toBe('"bad.pdf": The PDF is damaged or incomplete.');
  });

  it('are prepared concurrently without mixing', async () => {
    const sources = Array.from({ length: 6 }, (_, i) =>
      workspace.file(`side-${i}.txt`, 'page\f'.repeat(i + 1)),
    );
    const prepared = await Promise.all(sources.map((path, i) => workspace.prepare([path], `side-${i}.pdf`)));
    expect(prepared.map((document) => document.pages)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('are refused when the list is empty', async () => {
    const none = workspace.documents.prepare([], `${workspace.folder}/none.pdf`, { maxBytes: 1 });
    await expect(none).rejects.toMatchObject({ code: 'invalid' });
    expect(sourceOf('/a/b.pdf').fileName).toBe('b.pdf');
  });
});
