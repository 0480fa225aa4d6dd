import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DocumentError } from '../../server/documents/documents.ts';
import { MAGIC, sealBytes } from '../../server/platform/file-cipher.ts';
import {
  cjkNotEmbedded,
  doubleFlate,
  endlessPage,
  falseCount,
  hugeImage,
  manyStrokes,
  missingPage,
  nestedForms,
  noPages,
  pageTreeCycle,
  selfCallingForm,
  textPdf,
  unknownGlyphs,
} from '../fixtures/make-hostile-pdfs.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace({ jobTimeoutMs: 4000, memoryLimitBytes: 700 * 1024 * 1024 });
afterAll(async () => await workspace.close());

const qpdf = unlessMissing('qpdf');
const good = textPdf(10);
const tooComplex = 'The document is too complex to be processed.';
const damaged = 'The PDF is damaged or incomplete.';

async function refusalOf(name: string, content: Uint8Array): Promise<[string, string]> {
  const { code, publicMessage } = await workspace.refusal([workspace.file(name, content)]);
  return [code, publicMessage];
}

let served = 0;

/** The same thread pool must serve an honest document right after, one that it has not seen before. */
async function expectNextIsServed(): Promise<void> {
  served += 1;
  const next = Buffer.concat([good, Buffer.from(`% ${served}\n`)]);
  expect((await workspace.prepare([workspace.file('next.pdf', next)])).pages).toBe(10);
}

describe('hostile PDF', () => {
  it.each<[string, () => Buffer | Promise<Buffer>, string, string]>([
    ['an empty file', () => Buffer.alloc(0), 'invalid', 'The document is empty.'],
    ['the first half of a file', () => good.subarray(0, good.length >> 1), 'invalid', damaged],
    ['a page tree that holds itself', pageTreeCycle, 'invalid', 'Page 1 of the PDF is damaged.'],
    ['a page that is missing', missingPage, 'invalid', 'Page 2 of the PDF is damaged.'],
    ['a false count of a million', falseCount, 'too_large', 'The document has more than 1,000 pages.'],
    ['no pages', noPages, 'invalid', 'The PDF has no pages.'],
    ['a picture of 3 GB', hugeImage, 'too_large', 'The document contains an image that is too large.'],
    ['a sheet of 700 m', endlessPage, 'too_large', 'A page of the document is too long for a fax.'],
    ['20 million strokes', manyStrokes, 'too_large', tooComplex],
    ['contents of 3 GB packed twice', doubleFlate, 'too_large', tooComplex],
    ['forms in forms without end', nestedForms, 'too_large', tooComplex],
    ['a form that draws itself', selfCallingForm, 'too_large', tooComplex],
  ])('with %s is refused and the next one is served', async (name, make, code, sentence) => {
    expect(await refusalOf(`${name}.pdf`, await make())).toEqual([code, sentence]);
    await expectNextIsServed();
  });

  it('with glyphs of an unknown font is refused, because they would be left blank', async () => {
    const [code, sentence] = await refusalOf('glyphs.pdf', unknownGlyphs());
    expect(code).toBe('unsupported');
    expect(sentence).toContain('"SecretSans", which is not in the file');
  });

  it('with Chinese in a font that is not in the file is drawn with ours', async () => {
    const { path } = await workspace.prepare([workspace.file('cjk.pdf', cjkNotEmbedded())]);
    const options = { headerLine: null, cleanGreys: false };
    const { pages } = await workspace.documents.preview(path, workspace.folder, options);
    expect(pages[0]!.encodedBytes).toBeGreaterThan(700);
  });

  it.skipIf(qpdf.skip)(`with a password to open it is refused${qpdf.reason}`, async () => {
    const plain = workspace.file('plain.pdf', good);
    const variants: [string, string[]][] = [
      ['256', []],
      ['40', ['--allow-weak-crypto']],
    ];
    for (const [bits, more] of variants) {
      const locked = join(workspace.folder, `locked-${bits}.pdf`);
      referee('qpdf', [...more, '--encrypt', 'open', 'own', bits, '--', plain, locked]);
      const { code, publicMessage } = await workspace.refusal([locked]);
      expect(code).toBe('invalid');
      expect(publicMessage).toContain('password');
    }
  });

  it.skipIf(qpdf.skip)(`with only an owner's password is taken as it is${qpdf.reason}`, async () => {
    const plain = workspace.file('plain.pdf', good);
    const owned = join(workspace.folder, 'owned.pdf');
    referee('qpdf', ['--encrypt', '', 'own', '256', '--', plain, owned]);
    const prepared = await workspace.prepare([owned]);
    expect(prepared.pages).toBe(10);
    expect(readFileSync(prepared.path).equals(readFileSync(owned))).toBe(true);
    const joined = await workspace.prepare([owned, plain], 'joined.pdf');
    expect(joined.pages).toBe(20);
  });
});

describe('a hostile PDF that was not prepared', () => {
  it.each<[string, () => Buffer]>([
    ['a picture of 3 GB', hugeImage],
    ['forms in forms without end', nestedForms],
    ['a missing page', missingPage],
  ])('with %s ends the preview and the TIFF in a sentence', async (name, make) => {
    const path = workspace.file(`${name}.pdf`, make());
    const options = { headerLine: null, cleanGreys: false };
    const preview = workspace.documents.preview(path, workspace.folder, options);
    await expect(preview).rejects.toBeInstanceOf(DocumentError);
    const output = join(workspace.folder, 'never.tif');
    const raster = workspace.documents.rasterToTiff(path, output, { ...options, resolution: 'fine' });
    await expect(raster).rejects.toBeInstanceOf(DocumentError);
    expect(existsSync(output)).toBe(false);
    await expectNextIsServed();
  });
});

describe('a received PDF', () => {
  it('is counted when every page loads', async () => {
    expect(await workspace.documents.inspectPdf(workspace.file('good.pdf', good))).toEqual({ pages: 10 });
  });

  it('is counted in memory and sealed as well', async () => {
    const { documents } = workspace;
    expect(await documents.inspectPdf({ bytes: new Uint8Array(good) })).toEqual({ pages: 10 });
    const key = { key: randomBytes(32), wrapped: Buffer.concat([MAGIC, randomBytes(60)]) };
    const path = workspace.file('sealed.pdf', sealBytes(key, good));
    expect(await documents.inspectPdf({ path, key: key.key })).toEqual({ pages: 10 });
    await expect(documents.inspectPdf({ path })).rejects.toMatchObject({ code: 'unsupported' });
  });

  it.each<[string, Buffer, string]>([
    ['a missing page', missingPage(), 'invalid'],
    ['a false count', falseCount(), 'too_large'],
    ['no PDF in it', Buffer.from('<html></html>'), 'unsupported'],
  ])('with %s is refused', async (name, content, code) => {
    const refused = workspace.documents.inspectPdf(workspace.file(`${name}.pdf`, content));
    await expect(refused).rejects.toBeInstanceOf(DocumentError);
    await expect(refused).rejects.toMatchObject({ code });
  });
});

describe('giving up', () => {
  it('ends the work, passes on the reason and leaves no temporary file', async () => {
    const abort = new AbortController();
    const path = workspace.file('strokes.pdf', await manyStrokes());
    const output = join(workspace.folder, 'given-up.pdf');
    const running = workspace.documents.prepare(
      [{ path, fileName: 'strokes.pdf', declaredType: null }],
      output,
      {
        maxBytes: 1e8,
        signal: abort.signal,
      },
    );
    abort.abort(new Error('the caller went away'));
    await expect(running).rejects.toThrow('the caller went away');
    await expectNextIsServed();
  });
});
