import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { pwgRaster } from '../fixtures/print-raster.ts';
import { unlessMissing } from '../fixtures/referees.ts';
import { startCups } from '../setup/cups-server.ts';
import { openPrintingOffice, type PrintingOffice } from '../setup/printing-office.ts';

/** Tests of the Printer Working Group, as Debian ships them: without their documents, and without those for self-certification. */
const SUITES = '/usr/share/cups/ipptool';
const FILES = ['ipp-1.1.test', 'ipp-2.0.test', 'ipp-everywhere.test'];

const tools = unlessMissing('ipptool');

let office: PrintingOffice;
let folder: string;
beforeAll(async () => {
  office = await openPrintingOffice();
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-ipptool-'));
});
afterEach(async () => {
  for (const { id } of await office.waiting()) await office.act('DELETE', `/printed/${id}`);
});
afterAll(async () => {
  await office.gateway.close();
  await rm(folder, { recursive: true, force: true });
});

/** A page of A4 with lines, as a computer draws it for a printer. */
function drawnPage(bitsPerPixel: 1 | 8): Buffer {
  const [width, height] = [2_480, 3_508];
  const [white, black] = bitsPerPixel === 1 ? [0, 255] : [255, 0];
  const bytes = (width * bitsPerPixel) / 8;
  const rows = Array.from({ length: height }, (_, y) =>
    new Uint8Array(bytes).fill(y % 60 === 0 ? black : white),
  );
  return pwgRaster([{ width, height, perInch: 300, bitsPerPixel, space: bitsPerPixel === 1 ? 3 : 18, rows }]);
}

const jpeg = () =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: 'white' } })
    .jpeg()
    .toBuffer();

/**
 * Lists of jobs are tested only while the first job is not completed. This printer answers when the document is kept, which is
 * when the job is completed, so these lines would leave five tests out.
 */
const LEFT_OUT = /^\s*SKIP-IF-DEFINED PRINT_JOB_COMPLETED\n/gmu;

/** Puts the suites beside their documents. Those for formats that the printer does not have are empty. */
async function prepareSuites(): Promise<void> {
  const [grey, black, picture] = [drawnPage(8), drawnPage(1), await jpeg()];
  for (const name of FILES) {
    const text = (await readFile(join(SUITES, name), 'utf8')).replaceAll(LEFT_OUT, '');
    await writeFile(join(folder, name), text);
    for (const [, file = ''] of text.matchAll(/^\s*(?:FILE|SKIP-IF-MISSING)\s+(\S+)/gmu)) {
      if (file.startsWith('$')) continue;
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), contentOf(file, { grey, black, picture }));
    }
  }
  await writeFile(join(folder, 'document-a4.pdf'), textPdf(4));
}

function contentOf(name: string, drawn: { grey: Buffer; black: Buffer; picture: Buffer }): Buffer {
  if (name.endsWith('.pdf')) return textPdf(2);
  if (name.endsWith('.jpg')) return drawn.picture;
  if (name.includes('300dpi') && name.includes('sgray-8')) return drawn.grey;
  if (name.includes('300dpi') && name.includes('black-1')) return drawn.black;
  return Buffer.alloc(0);
}

/** Runs a suite, and returns its counts. */
async function runSuite(version: string, suite: string): Promise<{ passed: number; failed: string[] }> {
  const words = ['-V', version, '-t', '-f', 'document-a4.pdf', office.uri, suite];
  const printed = await new Promise<string>((resolve) => {
    execFile('ipptool', words, { cwd: folder, maxBuffer: 1 << 26 }, (_error, stdout) => resolve(stdout));
  });
  const lines = printed.split('\n');
  const failed = lines.flatMap((line, at) =>
    line.endsWith('[FAIL]') ? [lines.slice(at, at + 12).join('\n')] : [],
  );
  return { passed: lines.filter((line) => line.endsWith('[PASS]')).length, failed };
}

describe.skipIf(tools.skip)(`the printer${tools.reason}`, () => {
  beforeAll(prepareSuites);

  test.each([
    ['IPP 1.1', '1.1', 'ipp-1.1.test', 36],
    ['IPP 2.0', '2.0', 'ipp-2.0.test', 37],
    ['IPP Everywhere', '2.0', 'ipp-everywhere.test', 74],
  ])(
    'rule (printing): passes the tests of the Printer Working Group [%s]',
    async (_name, version, suite, least) => {
      const { passed, failed } = await runSuite(version, suite);
      expect(failed).toEqual([]);
      expect(passed).toBeGreaterThanOrEqual(least);
    },
  );
});

test('rule (printing): takes what CUPS prints through it without a driver: PDF, text, JPEG, two copies and chosen pages', async (context) => {
  const cups = await startCups(context);
  try {
    await cups.run('lpadmin', '-p', 'Faxdesk', '-E', '-v', office.uri, '-m', 'everywhere');
    const write = async (name: string, content: Uint8Array | string) => {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    };
    const long = await write('cups.pdf', textPdf(4));
    const prints: [title: string, pages: number, words: string[]][] = [
      ['Four pages', 4, [long]],
      ['Text', 1, [await write('cups.txt', 'Dear Ann\n')]],
      ['Picture', 1, [await write('cups.jpg', await jpeg())]],
      ['Two copies', 2, ['-n', '2', await write('two.pdf', textPdf(2))]],
      ['Chosen', 2, ['-P', '2-3', long]],
    ];
    for (const [title, , words] of prints) await cups.run('lp', '-d', 'Faxdesk', '-t', title, ...words);
    const waiting = async () => (await office.waiting()).map(({ name, pages }) => [name, pages]);
    await expect.poll(waiting, { timeout: 60_000, interval: 200 }).toHaveLength(prints.length);
    expect(new Map((await waiting()) as [string, number][])).toEqual(
      new Map(prints.map(([title, pages]) => [title, pages])),
    );
  } finally {
    await cups.close();
  }
});

test('rule (printing): takes the number that a person gives CUPS with a document, and sends nothing', async (context) => {
  const cups = await startCups(context);
  try {
    await cups.run('lpadmin', '-p', 'Faxdesk-Fax', '-E', '-v', office.faxUri, '-m', 'everywhere');
    const path = join(folder, 'fax.pdf');
    await writeFile(path, textPdf(2));
    await cups.run('lp', '-d', 'Faxdesk-Fax', '-t', 'Referral', '-o', 'phone=+12025550147', path);
    await cups.run('lp', '-d', 'Faxdesk-Fax', '-t', 'No number', path);
    const waiting = async () => (await office.waiting()).map(({ name, to, pages }) => [name, to, pages]);
    await expect.poll(waiting, { timeout: 60_000, interval: 200 }).toHaveLength(2);
    expect(new Set(await waiting())).toEqual(
      new Set([
        ['Referral', '+12025550147', 2],
        ['No number', null, 2],
      ]),
    );
    await office.gateway.processAll();
    const faxes = (await (await office.gateway.request('GET', '/fax')).json()) as { items: [] };
    expect(faxes.items).toEqual([]);
  } finally {
    await cups.close();
  }
});
