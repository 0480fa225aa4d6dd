import { afterAll, beforeAll, expect, test } from 'vitest';
import { announceScanner } from '../setup/announced-scanner.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { startScanner, type TestScanner } from '../setup/scanner.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let scanner: TestScanner;
beforeAll(async () => {
  scanner = await startScanner();
  cli = await openCommandLine();
  await cli.serve({ ...sendingSettings(cli.emulator), SCANNERS: scanner.url });
});
afterAll(async () => {
  await cli.close();
  await scanner.close();
});

test('faxdesk scanners lists the scanners and shows what one can do', async () => {
  const { out } = await cli.run(['scanners', 'list']);
  const [, id = '', address] = /^ID.*\n(\S+) +(\S+)\n/u.exec(out) ?? [];
  expect(address).toBe(scanner.url);
  expect((await cli.run(['scanners', 'show', id])).out).toMatch(
    /^Model: +Example OfficeScan 4020\nAddress: .*\nResolutions, glass: +100, 200, 300, 600 dpi\n(?:.*\n)*Feeder: +empty\n/u,
  );
  const port = Number(new URL(scanner.url).port);
  const announced = await announceScanner({ name: 'CLI scanner', port, facts: ['ty=Example 1'] });
  const found = await cli.run(['scanners', 'list', '--network']);
  announced.close();
  expect(
    found.out
      .split('\n')
      .find((line) => line.startsWith('CLI scanner'))
      ?.split(/ {2,}/u),
  ).toEqual(['CLI scanner', 'Example 1', '-', scanner.url, 'yes']);
  expect(await cli.run(['settings', 'change', 'SCANNERS=not an address'])).toMatchObject({ code: 9 });
});
