import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { unlessMissing } from '../fixtures/referees.ts';
import { IppPrinter } from '../setup/emulators/printer/ipp-printer.ts';

const run = promisify(execFile);
const tools = unlessMissing('ipptool');

/** Tests of CUPS for the operations that the gateway uses, in the order in which they follow each other. */
const TESTS = [
  'get-printer-attributes.test',
  'print-job.test',
  'get-jobs.test',
  'get-job-attributes.test',
  'get-completed-jobs.test',
];

describe.skipIf(tools.skip)(`the emulated office printer${tools.reason}`, () => {
  test('answers as the tests of CUPS require', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'faxdesk-ipptool-'));
    const printer = new IppPrinter();
    await printer.open();
    onTestFinished(async () => {
      await printer.close();
      await rm(folder, { recursive: true, force: true });
    });
    printer.addJob('letter', { state: 9, endedAt: 500 });
    const file = join(folder, 'fax.pdf');
    await writeFile(file, textPdf(1));
    for (const name of TESTS) {
      const url = name === 'get-job-attributes.test' ? `${printer.url}/1` : printer.url;
      // The command ends with an error when a test fails.
      const { stdout } = await run('ipptool', ['-tv', '-f', file, url, name]);
      expect(stdout).toContain('[PASS]');
    }
    expect(printer.jobs.map(({ format }) => format)).toEqual(['', 'application/pdf']);
  });
});
