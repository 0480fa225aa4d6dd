import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createIppPrinters } from '../../server/adapters/printers/ipp.ts';
import type { PrinterFault, PrintForm, PrintOrder } from '../../server/features/print-rules/printer-port.ts';
import { openWorkspace } from '../documents/workspace.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { readPwg } from '../fixtures/print-raster.ts';
import { startCups } from '../setup/cups-server.ts';
import { IppPrinter } from '../setup/emulators/printer/ipp-printer.ts';
import { ippevePrinter, startIppevePrinter } from '../setup/ippeve-printer.ts';

const printers = createIppPrinters();
const POLL = { timeout: 25_000, interval: 250 };
const PDF = textPdf(1);
const order = (jobName: string): PrintOrder => ({
  jobName,
  format: 'application/pdf',
  bytes: PDF.length,
  sheet: null,
  async *chunks() {
    yield PDF;
  },
});
const submit = (url: string, name: string) => printers.submit(url, order(name), new AbortController().signal);

let printer: IppPrinter;
beforeEach(async () => {
  printer = new IppPrinter();
  await printer.open();
});
afterEach(() => printer.close());

/** A submission that began 60 seconds ago by both clocks. */
const search = (jobName: string, begunMsAgo = 60_000, begunAtUpTime: number | null = printer.upTime - 60) =>
  printers.searchJob(printer.url, { jobName, begunMsAgo, begunAtUpTime });

test('takes a document with its name and format, and reports its job until it is printed', async () => {
  const job = await submit(printer.url, 'fax-1');
  expect(job).toEqual({ number: 1, state: 'pending', printed: 0, reason: null });
  expect(printer.jobs).toMatchObject([{ name: 'fax-1', format: 'application/pdf', document: PDF }]);
  printer.print();
  expect(await printers.findJob(printer.url, 1)).toEqual({
    number: 1,
    state: 'completed',
    printed: 1,
    reason: null,
  });
  expect(await printers.findJob(printer.url, 2)).toBe(null);
});

test.for<[string[], PrinterFault | null]>([
  [['media-empty-error'], 'no_paper'],
  [['toner-low-warning', 'media-jam'], 'jam'],
  [['media-empty-warning'], null],
  [['cover-open-error'], 'open'],
  [['none'], null],
])('reports its state with the reasons %s as %s', async ([reasons, fault]) => {
  printer.reasons = reasons;
  expect(await printers.describe(printer.url)).toMatchObject({
    fault,
    model: 'Example Laser 5',
    upTime: 10_000,
  });
});

test('reports that it accepts no jobs', async () => {
  printer.isAccepting = false;
  expect(await printers.describe(printer.url)).toMatchObject({ fault: 'not_accepting' });
});

describe('a printer that takes', () => {
  const raster = {
    perInch: 300,
    tones: 'grey',
    sheets: [
      { name: 'iso_a4_210x297mm', width: 21_000, height: 29_700 },
      { name: 'na_letter_8.5x11in', width: 21_590, height: 27_940 },
    ],
    margins: { left: 423, right: 423, top: 423, bottom: 423 },
  };
  const takes = async (given: Partial<IppPrinter>) => {
    Object.assign(printer, { formats: ['image/jpeg', 'image/pwg-raster'], ...given });
    return (await printers.describe(printer.url)).takes;
  };

  test('PDF gets the document', async () => {
    const formats = ['image/pwg-raster', 'application/PDF'];
    expect(await takes({ formats })).toEqual({ format: 'application/pdf' });
  });

  test('pixels gets them in grey, as fine as a fax needs, without its edges', async () => {
    expect(await takes({ rasterPerInch: [600, 300, 150] })).toEqual({ format: 'image/pwg-raster', raster });
  });

  test.for<[string, Partial<IppPrinter>, object]>([
    ['only black pixels', { rasterTypes: ['black_1'] }, { tones: 'black bits' }],
    ['only coarse pixels', { rasterPerInch: [150, 200] }, { perInch: 200 }],
    ['only fine pixels', { rasterPerInch: [1_200, 600] }, { perInch: 600 }],
    [
      'rolls and sheets',
      { sheets: ['roll_max_8x100in', 'custom_min_3x5in', 'na_legal_8.5x14in', 'om_wall_2000x3000mm'] },
      { sheets: [{ name: 'na_legal_8.5x14in', width: 21_590, height: 35_560 }] },
    ],
  ])('%s gets those', async ([, given, part]) => {
    expect(await takes(given)).toEqual({ format: 'image/pwg-raster', raster: { ...raster, ...part } });
  });

  test.for<[string, Partial<IppPrinter>]>([
    ['only pictures', { formats: ['image/jpeg'] }],
    ['only colors', { rasterTypes: ['srgb_8'] }],
    ['only pixels that are too fine', { rasterPerInch: [1_200] }],
    ['only rolls', { sheets: ['roll_max_8x100in'] }],
  ])('%s gets nothing', async ([, given]) => {
    expect(await takes(given)).toBe(null);
  });
});

test.for([
  ['before', 0],
  ['after', 1],
] as const)('may have a job when the connection is cut %s it is made', async ([cut, jobs]) => {
  printer.cut = cut;
  await expect(submit(printer.url, 'fax-1')).rejects.toMatchObject({ fault: 'lost', mayHaveArrived: true });
  expect(printer.jobs.length).toBe(jobs);
});

test.for<[number, PrinterFault]>([
  [0x0507, 'busy'],
  [0x0506, 'not_accepting'],
  [0x040a, 'format'],
  [0x0401, 'refused'],
])('certainly has no job that it refuses with status %i', async ([status, fault]) => {
  printer.refusal = status;
  await expect(submit(printer.url, 'fax-1')).rejects.toMatchObject({ fault, mayHaveArrived: false });
});

test('certainly has no job when it is away', async () => {
  const { url } = printer;
  await printer.close();
  await expect(submit(url, 'fax-1')).rejects.toMatchObject({ fault: 'unreachable', mayHaveArrived: false });
  await printer.open();
});

describe('the search for a job', () => {
  test('finds one that waits and one that was printed', async () => {
    await submit(printer.url, 'fax-1');
    expect((await search('fax-1')).job).toMatchObject({ number: 1, state: 'pending' });
    printer.print();
    expect((await search('fax-1')).job).toMatchObject({ number: 1, state: 'completed' });
  });

  test('proves that a job never arrived by one that ended before', async () => {
    printer.addJob('letter', { state: 9, endedAt: 500 });
    expect(await search('fax-1')).toEqual({ job: null, isConclusive: true });
  });

  test.for<[string, () => Promise<unknown> | undefined]>([
    ['has no history', () => undefined],
    ['has only jobs that ended later', async () => printer.addJob('letter', { state: 9, endedAt: 9_990 })],
    [
      'keeps names private',
      async () => {
        printer.addJob('letter', { state: 9, endedAt: 500 });
        printer.showsNames = false;
      },
    ],
    [
      'was switched on after the submission',
      async () => {
        printer.addJob('letter', { state: 9, endedAt: 5 });
        printer.upTime = 30;
      },
    ],
  ])('proves nothing at a printer that %s', async ([, prepare]) => {
    await prepare();
    expect(await search('fax-1', 60_000, 9_940)).toEqual({ job: null, isConclusive: false });
  });

  test('proves nothing where the up-time of the submission is unknown', async () => {
    printer.addJob('letter', { state: 9, endedAt: 500 });
    expect(await search('fax-1', 60_000, null)).toEqual({ job: null, isConclusive: false });
  });

  test('fails at a printer that is away', async () => {
    await printer.close();
    await expect(search('fax-1')).rejects.toMatchObject({ fault: 'unreachable' });
    await printer.open();
  });
});

test('takes, lists and prints a fax at the print server of Debian', { timeout: 60_000 }, async (context) => {
  const paper = createServer((socket) => socket.resume().on('end', () => socket.end()));
  paper.listen(0, '127.0.0.1');
  await once(paper, 'listening');
  const cups = await startCups(context);
  onTestFinished(async () => {
    await cups.close();
    paper.close();
  });
  const { port } = paper.address() as AddressInfo;
  await cups.run('lpadmin', '-p', 'paper', '-E', '-v', `socket://127.0.0.1:${port}`);
  const url = `ipp://127.0.0.1:${cups.port}/printers/paper`;
  const before = await printers.describe(url);
  expect(before).toMatchObject({ isAccepting: true, fault: null });
  expect(before.takes).toEqual({ format: 'application/pdf' });
  const first = await submit(url, 'fax-1');
  await expect.poll(async () => (await printers.findJob(url, first.number))?.state, POLL).toBe('completed');
  const searchAt = (jobName: string, begunAtUpTime: number | null) =>
    printers.searchJob(url, { jobName, begunMsAgo: 0, begunAtUpTime });
  expect((await searchAt('fax-1', before.upTime)).job).toMatchObject({
    number: first.number,
    state: 'completed',
  });
  // The first fax ended after that moment, and before a later one.
  expect(await searchAt('fax-2', before.upTime)).toEqual({ job: null, isConclusive: false });
  const later = async () => (await searchAt('fax-2', (await printers.describe(url)).upTime)).isConclusive;
  await expect.poll(later, POLL).toBe(true);
});

test.skipIf(ippevePrinter.skip)(
  `takes pixels at the printer of CUPS${ippevePrinter.reason}`,
  { timeout: 60_000 },
  async () => {
    const workspace = openWorkspace();
    onTestFinished(() => workspace.close());
    const { url, folder } = await startIppevePrinter('image/pwg-raster');
    const takes = async () => (await printers.describe(url).catch(() => null))?.takes ?? null;
    await expect.poll(takes, POLL).toMatchObject({ format: 'image/pwg-raster', raster: { tones: 'grey' } });
    const form = (await takes()) as Extract<PrintForm, { format: 'image/pwg-raster' }>;
    const pdf = workspace.file('fax.pdf', textPdf(2));
    const parts: Uint8Array[] = [];
    let sheet = '';
    for (let fromPage: number | null = 1; fromPage !== null; ) {
      const drawn = await workspace.documents.printRaster(pdf, form.raster, { fromPage });
      parts.push(drawn.part);
      ({ sheet, nextPage: fromPage } = drawn);
    }
    const pixels: PrintOrder = {
      jobName: 'fax-1',
      format: form.format,
      bytes: null,
      sheet,
      async *chunks() {
        yield* parts;
      },
    };
    const { number } = await printers.submit(url, pixels, new AbortController().signal);
    await expect.poll(async () => (await printers.findJob(url, number))?.state, POLL).toBe('completed');
    const [file, ...others] = (await readdir(folder)).filter((name) => name.endsWith('.pwg'));
    expect(others).toEqual([]);
    const kept = await readFile(join(folder, file ?? ''));
    expect(kept.equals(Buffer.concat(parts))).toBe(true);
    const pages = readPwg(kept);
    expect(pages.map(({ pixels }) => pixels.includes(0))).toEqual([true, true]);
  },
);

test.skipIf(ippevePrinter.skip)(
  `takes, lists and prints a fax at the printer of CUPS${ippevePrinter.reason}`,
  { timeout: 60_000 },
  async () => {
    const { url } = await startIppevePrinter();
    const status = () => printers.describe(url).catch(() => null);
    await expect.poll(status, POLL).toMatchObject({ isAccepting: true, fault: null });
    const before = await printers.describe(url);
    expect(before.takes).toEqual({ format: 'application/pdf' });
    // Its certificate is its own, which the gateway does not trust.
    const secure = submit(url.replace('ipp:', 'ipps:'), 'fax-0');
    await expect(secure).rejects.toMatchObject({ mayHaveArrived: false });
    const { number } = await submit(url, 'fax-1');
    await expect.poll(async () => (await printers.findJob(url, number))?.state, POLL).toBe('completed');
    const searchFor = (jobName: string) =>
      printers.searchJob(url, { jobName, begunMsAgo: 0, begunAtUpTime: before.upTime });
    expect((await searchFor('fax-1')).job).toMatchObject({ number, state: 'completed' });
    expect(await searchFor('fax-2')).toEqual({ job: null, isConclusive: false });
  },
);
