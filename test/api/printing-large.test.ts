import { afterAll, beforeAll, expect, test } from 'vitest';
import { JOB_STATE, STATUS } from '../../server/platform/ipp/codes.ts';
import { GROUP } from '../../server/platform/ipp/message.ts';
import { attribute, groupOf, valuesOf } from '../../server/platform/ipp/values.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { longRaster, textPage } from '../fixtures/print-raster.ts';
import { callPrinter, printByIpp } from '../setup/ipp-client.ts';
import { openPrintingOffice, type PrintingOffice } from '../setup/printing-office.ts';

const MEGABYTE = 1024 * 1024;
const PAGES = 200;
const A_MINUTE = 60_000;

let office: PrintingOffice;
beforeAll(async () => {
  office = await openPrintingOffice();
  await office.gateway.set({ MAX_FILE_SIZE_MB: 25 });
});
afterAll(() => office.gateway.close());

async function waitingThenDiscarded() {
  const waiting = await office.waiting();
  for (const { id } of waiting) await office.act('DELETE', `/printed/${id}`);
  return waiting;
}

const [grey, bits, apple] = [
  { bitsPerPixel: 8, space: 18, perInch: 300 },
  { bitsPerPixel: 1, space: 3, perInch: 300 },
  { bitsPerPixel: 8, space: 0, perInch: 200 },
];

test.each<[string, string, number, () => Buffer]>([
  ['PWG raster in grey', 'image/pwg-raster', 50, () => longRaster('pwg', textPage(grey), PAGES)],
  ['PWG raster in bits', 'image/pwg-raster', 26, () => longRaster('pwg', textPage(bits), PAGES)],
  ['Apple raster', 'image/urf', 26, () => longRaster('urf', textPage(apple), PAGES)],
  ['PDF', 'application/pdf', 0, () => textPdf(PAGES)],
])(
  'rule (printing): a document of 200 pages is printed, also where its pixels are larger than MAX_FILE_SIZE_MB [%s]',
  async (name, format, leastMegabytes, make) => {
    const document = make();
    expect(document.length).toBeGreaterThan(leastMegabytes * MEGABYTE);
    const operation = [attribute('document-format', 'mimeMediaType', format)];
    expect(await printByIpp(office.uri, document, { name, operation })).toMatchObject({
      status: STATUS.ok,
      state: JOB_STATE.completed,
    });
    const [kept, ...others] = await waitingThenDiscarded();
    expect([kept, others]).toMatchObject([{ name, pages: PAGES }, []]);
    expect(kept?.size_bytes).toBeLessThan(25 * MEGABYTE);
  },
  5 * A_MINUTE,
);

test('rule (printing): pixels that make a larger document than MAX_FILE_SIZE_MB end their job with the reason', async () => {
  await office.gateway.set({ MAX_FILE_SIZE_MB: 1 });
  const printed = await printByIpp(office.uri, longRaster('pwg', textPage(bits), PAGES));
  expect(printed).toMatchObject({
    status: STATUS.ok,
    state: JOB_STATE.aborted,
    message: 'The printed pages make a document larger than 1 MB. Print fewer pages at a time.',
  });
  await office.gateway.set({ MAX_FILE_SIZE_MB: 25 });
  expect(await waitingThenDiscarded()).toEqual([]);
});

test('rule (printing): a print job has at most 256 MB of pixels, and a PDF MAX_FILE_SIZE_MB', async () => {
  const described = await callPrinter(office.uri, 'getPrinterAttributes', {
    operation: [attribute('requested-attributes', 'keyword', 'job-k-octets-supported')],
  });
  const [most] = valuesOf(groupOf(described, GROUP.printer), 'job-k-octets-supported');
  expect(most?.value).toEqual({ lower: 0, upper: 256 * 1024 });
  const refusal = async (start: string, megabytes: number) => {
    const document = Buffer.concat([Buffer.from(start), Buffer.alloc(megabytes * MEGABYTE)]);
    const answer = await callPrinter(office.uri, 'printJob', { document });
    return [answer.code, valuesOf(groupOf(answer, GROUP.operation), 'status-message')[0]?.value];
  };
  expect(await refusal('RaS2', 256)).toEqual([
    STATUS.tooLarge,
    'The printed pages are larger than 256 MB. Print fewer pages at a time.',
  ]);
  expect(await refusal('%PDF-1.7', 25)).toEqual([STATUS.tooLarge, 'The document is larger than 25 MB.']);
  expect(await waitingThenDiscarded()).toEqual([]);
});
