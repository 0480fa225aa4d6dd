import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unlessMissing } from '../fixtures/referees.ts';
import { startScanner, type TestScanner } from '../setup/scanner.ts';

const tools = unlessMissing('scanimage', 'airscan-discover');
const run = promisify(execFile);

let scanner: TestScanner;
let folder: string;
beforeAll(async () => {
  scanner = await startScanner();
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-sane-'));
  await writeFile(join(folder, 'dll.conf'), 'airscan\n');
  await writeFile(
    join(folder, 'airscan.conf'),
    `[devices]\n"Test" = ${scanner.url}, eSCL\n[options]\ndiscovery = disable\n`,
  );
});
afterAll(async () => {
  await scanner.close();
  await rm(folder, { recursive: true, force: true });
});

test.skipIf(tools.skip)(`the scanner of the tests is one for sane-airscan${tools.reason}`, async () => {
  scanner.sheets = 3;
  const options = ['-d', 'airscan:e0:Test', '--resolution', '200', '--mode', 'Gray', '--format=png'];
  await run('scanimage', [...options, '--source', 'ADF', `--batch=${join(folder, 'page%d.png')}`], {
    env: { ...process.env, SANE_CONFIG_DIR: folder },
    timeout: 60_000,
  });
  const pages = (await readdir(folder)).filter((name) => name.endsWith('.png'));
  expect(pages.toSorted()).toEqual(['page1.png', 'page2.png', 'page3.png']);
  // The order that Faxdesk writes has the same elements in the same sequence.
  expect(scanner.jobs[0]?.settings.match(/<(?:scan|pwg):\w+/gu)).toEqual([
    '<scan:ScanSettings',
    '<pwg:Version',
    '<pwg:ScanRegions',
    '<pwg:ScanRegion',
    '<pwg:ContentRegionUnits',
    '<pwg:XOffset',
    '<pwg:YOffset',
    '<pwg:Width',
    '<pwg:Height',
    '<pwg:InputSource',
    '<scan:ColorMode',
    '<pwg:DocumentFormat',
    '<scan:DocumentFormatExt',
    '<scan:XResolution',
    '<scan:YResolution',
    '<scan:Duplex',
  ]);
});
