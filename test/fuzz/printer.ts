import { OPERATION, STATUS } from '../../server/platform/ipp/codes.ts';
import { attribute } from '../../server/platform/ipp/values.ts';
import { FAX_PRINTER_PATH, PRINTER_PATH } from '../../shared/printing.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { freePort } from '../setup/free-port.ts';
import { ippRequest } from '../setup/ipp-client.ts';
import { mutate } from './mutate.ts';
import { type FuzzSubject, framedRequest } from './subject.ts';

const WORDS = [
  '\u0001',
  '\u0002',
  '\u0003',
  '\u0004',
  '\u0005',
  '\u0021\u0000\u0000',
  '\u0034\u0000\u0000\u0000\u0000',
  '\u0037\u0000\u0000\u0000\u0000',
  '\u004a\u0000\u0000\u0000\u0004name',
  '\u00ff\u00ff',
  'attributes-charset',
  'document-format',
  'application/pdf',
  'image/pwg-raster',
  'image/urf',
  'RaS2',
  'UNIRAST\u0000',
  'destination-uris',
  'tel:+12025550123',
];
const FORMATS = ['application/pdf', 'text/plain', 'image/jpeg', 'image/pwg-raster', 'image/urf', ''];

/** Requests to the printer: every operation, with documents of several kinds, changed at random. */
export async function printerSubject(): Promise<FuzzSubject> {
  const port = await freePort();
  const pdf = textPdf(1).subarray(0, 20_000);
  const names = Object.keys(OPERATION) as (keyof typeof OPERATION)[];
  const samples = names.flatMap((name, at) =>
    FORMATS.map((format) =>
      ippRequest(`ipp://127.0.0.1:${port}${at % 2 === 0 ? PRINTER_PATH : FAX_PRINTER_PATH}`, name, {
        operation: [
          attribute('job-name', 'name', 'Referral'),
          attribute('document-format', 'mimeMediaType', format),
          attribute('job-id', 'integer', 1),
          attribute('last-document', 'boolean', true),
        ],
        job: [
          attribute('copies', 'integer', 2),
          attribute('destination-uris', 'collection', [
            attribute('destination-uri', 'uri', 'tel:+12025550123'),
          ]),
        ],
        document: format === 'application/pdf' ? pdf : Buffer.from(`${format} body`),
      }),
    ),
  );
  return {
    connections: 4,
    listener: { port, environment: { PRINT_TO_FAX: 'this_computer', PRINT_PORT: String(port) } },
    outcomeOf(status, body) {
      if (status !== '200') return status;
      // Version, then the status of IPP, in two bytes each.
      if (body.length < 4) return null;
      const code = Buffer.from(body.slice(2, 4), 'latin1').readUInt16BE(0);
      if (code === STATUS.internalError) return '500';
      return code === STATUS.ok ? '200' : `IPP 0x${code.toString(16).padStart(4, '0')}`;
    },
    makeRequest(random) {
      const body = mutate(random, random.pick(samples), { words: WORDS, others: samples });
      return framedRequest('POST', PRINTER_PATH, { 'Content-Type': 'application/ipp' }, body);
    },
  };
}
