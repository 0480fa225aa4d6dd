import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLibreOffice, type LibreOfficeOptions } from '../../server/adapters/office/libreoffice.ts';
import type { DocumentSource } from '../../server/documents/documents.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { textPdf } from '../fixtures/make-hostile-pdfs.ts';
import { docx, odt, xlsx, zipOf } from '../setup/office-files.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const MISSING =
  'Faxdesk needs LibreOffice to open a Word document (DOCX) and did not find it. Save the document as PDF and add that, or install LibreOffice on the computer that Faxdesk runs on.';
const FAILED = 'LibreOffice could not open this document; it may be damaged. Save it as PDF and add that.';
const LATE = 'LibreOffice did not finish this document in time. Save it as PDF and add that.';
const DAMAGED = 'The document is damaged or too large to be opened. Save it as PDF and add that.';

const programs = mkdtempSync(join(tmpdir(), 'faxdesk-office-'));
const open: Workspace[] = [];
afterAll(async () => {
  for (const each of open) await each.close();
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
  rmSync(programs, { recursive: true, force: true });
});

/** Writes a program in place of LibreOffice: `$out` is the folder of its PDF, `$name` the name of the document. */
function program(script: string): string {
  const path = join(programs, `office-${readdirSync(programs).length}`);
  const begin = '#!/bin/sh\nfor word; do out=$last; last=$word; done\nname=$(basename "$last")\n';
  writeFileSync(path, `${begin}${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const onePage = () => {
  const pdf = join(programs, 'one.pdf');
  writeFileSync(pdf, textPdf(1));
  return pdf;
};
/** Writes a program that makes a PDF of one page, and records each call in a file. */
const writesPage = (calls: string) => program(`echo 1 >> ${calls}; cp ${onePage()} "$out/$name.pdf"`);

type Options = Pick<LibreOfficeOptions, 'program' | 'limits' | 'maxWaiting'>;

/** Folder and converter of all tests, which replace the program alone: a document process for each would take seconds. */
const folder = mkdtempSync(join(tmpdir(), 'faxdesk-office-work-'));
let converter = createLibreOffice({ environment: {}, program: null });
const workspace = openWorkspace({
  folders: [tmpdir()],
  office: {
    converter: {
      convert: (file) => converter.convert(file),
      find: () => converter.find(),
      close: () => converter.close(),
    },
    folder,
    newKey: () => null,
  },
});
open.push(workspace);
const convertWith = (options: Options) => {
  converter = createLibreOffice({ environment: {}, ...options });
};
/** Lists the files in the folder of conversions, except the PDFs that are kept. */
const leftovers = () => readdirSync(folder).filter((name) => !name.endsWith('.pdf'));

function upload(content: Uint8Array | string, fileName: string): DocumentSource {
  const bytes = Buffer.from(content as Uint8Array);
  return { bytes, fileName, declaredType: null, digest: sha256Hex(bytes) };
}

let letters = 0;
/** Returns a new letter, so that no earlier conversion is reused. */
const newLetter = () => upload(docx([`Letter ${letters++}`]), 'letter.docx');

async function refusalOf(
  source: DocumentSource,
  { documents }: Pick<Workspace, 'documents'> = workspace,
): Promise<[string, string]> {
  const error: unknown = await documents.quickCheck([source]).catch((each: unknown) => each);
  const { code, publicMessage } = error as { code: string; publicMessage: string };
  return [code, publicMessage];
}

describe('a document of a word processor', () => {
  it('is converted once for its preview and its fax, and counted and sent as the PDF', async () => {
    const calls = join(programs, 'calls');
    convertWith({ program: writesPage(calls) });
    const letter = newLetter();
    const { documents } = workspace;
    const [check] = await documents.quickCheck([letter]);
    expect(check).toEqual({ mediaType: expect.stringContaining('wordprocessingml') as string, pages: 1 });
    const options = { maxBytes: 1_000_000 };
    const both = await documents.prepare([letter, upload('Text', 'a.txt')], join(programs, 'x.pdf'), options);
    expect(both).toMatchObject({
      pages: 2,
      mediaType: 'application/pdf',
      sourceMediaType: 'application/pdf',
    });
    const alone = await documents.prepare([letter], join(programs, 'y.pdf'), options);
    expect(alone).toMatchObject({ pages: 1, sourceMediaType: check?.mediaType, isUpload: false });
    expect(alone.sha256).toBe(sha256Hex(readFileSync(alone.path)));
    expect(readFileSync(calls, 'utf8')).toBe('1\n');
    expect(leftovers()).toEqual([]);
  });

  it('is refused with advice where LibreOffice is not found', async () => {
    for (const path of [null, join(programs, 'nowhere')]) {
      convertWith({ program: path });
      expect(await refusalOf(newLetter())).toEqual(['unsupported', MISSING]);
      expect(leftovers()).toEqual([]);
    }
    const without = openWorkspace();
    open.push(without);
    expect(await refusalOf(newLetter(), without)).toEqual(['unsupported', MISSING]);
  });

  it.each([
    ['ends with an error', 'exit 3'],
    ['ends well without a PDF', 'exit 0'],
    ['writes something else', 'echo "<html>" > "$out/$name.pdf"'],
  ])('is refused in one sentence by a program that %s, and nothing is left', async (_case, script) => {
    convertWith({ program: program(script) });
    expect(await refusalOf(newLetter())).toEqual(['invalid', FAILED]);
    expect(leftovers()).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux').each([
    ['writes without an end', 'yes > "$out/$name.pdf"'],
    ['takes all memory', 'tail -c 3000000000 /dev/zero > "$out/$name.pdf"'],
  ])('is refused in one sentence by a program that %s, and nothing is left', async (_case, script) => {
    const limits = { memoryBytes: 64 * 1024 * 1024, fileBytes: 1024 * 1024 };
    convertWith({ program: program(script), limits });
    expect(await refusalOf(newLetter())).toEqual(['invalid', FAILED]);
    expect(leftovers()).toEqual([]);
  });

  it.each([
    ['never ends', 'sleep 1000'],
    ['leaves a program behind that never ends', '(sleep 1000; echo) & sleep 1000'],
  ])('is refused in one sentence by a program that %s, and nothing is left', async (_case, script) => {
    convertWith({ program: program(script), limits: { seconds: 1 } });
    expect(await refusalOf(newLetter())).toEqual(['invalid', LATE]);
    expect(leftovers()).toEqual([]);
  });

  it('is refused when half a PDF was written', async () => {
    convertWith({ program: program(`head -c 300 ${onePage()} > "$out/$name.pdf"`) });
    expect((await refusalOf(newLetter()))[0]).toBe('invalid');
    expect(leftovers()).toEqual([]);
  });

  it('leaves no program behind that it started', async () => {
    const mark = join(programs, 'alive');
    const script = `(while :; do date +%s%N > ${mark}; sleep 0.05; done) & cp ${onePage()} "$out/$name.pdf"; sleep 0.3`;
    convertWith({ program: program(script) });
    await workspace.documents.quickCheck([newLetter()]);
    const before = existsSync(mark) && readFileSync(mark, 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(existsSync(mark) && readFileSync(mark, 'utf8')).toBe(before);
  });

  it('is converted one at a time, and refused when too many wait', async () => {
    const [running, ending] = [join(programs, 'running'), join(programs, 'ending')];
    const wait = `while ! [ -e ${ending} ]; do sleep 0.05; done`;
    const script = `mkdir ${running} || exit 1; ${wait}; rmdir ${running}; cp ${onePage()} "$out/$name.pdf"`;
    convertWith({ program: program(script), maxWaiting: 2 });
    const refused: unknown[] = [];
    const checks = Array.from({ length: 5 }, () =>
      workspace.documents.quickCheck([newLetter()]).catch((error: { refusalCode?: string }) => {
        refused.push(error.refusalCode);
      }),
    );
    await expect.poll(() => refused).toEqual(['too_busy', 'too_busy']);
    writeFileSync(ending, '');
    await Promise.all(checks);
    expect(refused).toEqual(['too_busy', 'too_busy']);
  });

  it('is named in the refusal of several documents', async () => {
    convertWith({ program: program('exit 1') });
    const error: unknown = await workspace.documents
      .quickCheck([upload('Text', 'a.txt'), newLetter()])
      .catch((each: unknown) => each);
    expect((error as { publicMessage: string }).publicMessage).toBe(`"letter.docx": ${FAILED}`);
  });
});

describe('the type of a document of a word processor', () => {
  const typeOf = async (source: DocumentSource) =>
    (await workspace.documents.quickCheck([source]))[0]?.mediaType;

  it.each<[string, Uint8Array | string, string, RegExp]>([
    ['a Word document', docx(['A']), 'a.docx', /wordprocessingml/u],
    ['a Word document without an extension', docx(['A']), 'upload', /wordprocessingml/u],
    ['a Word document under an older extension', docx(['A']), 'a.doc', /wordprocessingml/u],
    ['an Excel workbook', xlsx([['A']]), 'a.xlsx', /spreadsheetml/u],
    ['an OpenDocument text', odt(['A']), 'a.odt', /opendocument/u],
    ['a web page', '<!DOCTYPE html><html><body>A</body></html>', 'a.html', /text\/html/u],
    ['a part of a web page', 'A <b>word</b>', 'a.htm', /text\/html/u],
    ['an XHTML page', '<?xml version="1.0"?>\n<html></html>', 'a.html', /text\/html/u],
  ])('is found by its content: %s', async (_case, content, name, type) => {
    convertWith({ program: writesPage(join(programs, 'types')) });
    expect(await typeOf(upload(content, name))).toMatch(type);
  });

  const protectedBy = (phrase: string) =>
    `This file cannot be read as ${phrase}: it is damaged, protected by a password or of an older format. Save it as PDF and add that.`;
  const bomb = zipOf([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
    { name: 'content.xml', content: Buffer.alloc(270_000_000) },
  ]);
  const half = docx(['A'.repeat(2000)]);
  half.fill(0xff, 600, 640);

  it.each<[string, Uint8Array | string, string, string, string]>([
    [
      'another type under its name',
      xlsx([['A']]),
      'a.docx',
      'unsupported',
      'The name of this file says it is a Word document (DOCX), but its content is an Excel workbook (XLSX).',
    ],
    [
      'half an archive',
      docx(['A']).subarray(0, 400),
      'a.docx',
      'unsupported',
      protectedBy('a Word document (DOCX)'),
    ],
    [
      'a sealed document',
      '\xd0\xcf\x11\xe0',
      'a.xlsx',
      'unsupported',
      protectedBy('an Excel workbook (XLSX)'),
    ],
    [
      'any archive',
      zipOf([{ name: 'a.txt', content: 'A' }]),
      'a.odt',
      'unsupported',
      protectedBy('an OpenDocument text (ODT)'),
    ],
    [
      'an encrypted document',
      odt(['A'], { manifest: '<manifest:encryption-data/>' }),
      'a.odt',
      'invalid',
      'The document is protected by a password. Save it without one and send it again.',
    ],
    ['an archive that fills the memory', bomb, 'a.odt', 'invalid', DAMAGED],
    ['an archive with damaged parts', half, 'a.docx', 'invalid', DAMAGED],
  ])('is refused in one sentence: %s', async (_case, content, name, code, sentence) => {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
    expect(await refusalOf(upload(bytes, name))).toEqual([code, sentence]);
  });
});
