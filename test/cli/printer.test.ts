import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPrinterCommand, inShell, removePrinterCommand } from '../../shared/printer-command.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { freePort } from '../setup/free-port.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { printByIpp } from '../setup/ipp-client.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let port: number;
beforeAll(async () => {
  cli = await openCommandLine();
  port = await freePort();
  await cli.serve({ ...sendingSettings(cli.emulator), PRINT_PORT: String(port) });
});
afterAll(async () => cli.close());

test('faxdesk printer shows the printer, and prints the command that adds and removes it', async () => {
  expect(await cli.run(['printer', 'create'])).toMatchObject({
    code: 6,
    err: 'Print to fax is off. Turn it on: faxdesk settings change PRINT_TO_FAX=this_computer\n',
  });
  await cli.run(['settings', 'change', 'PRINT_TO_FAX=this_computer']);
  const uri = `ipp://127.0.0.1:${port}/ipp/print`;
  await printByIpp(uri, textPdf(1));
  expect((await cli.run(['printer', 'show'])).out).toMatch(
    new RegExp(
      `^Print to fax: +programs on this computer.*\n(?:.*\n)*Address: +${uri}\n(?:.*\n)*Waiting: +1\n`,
      'u',
    ),
  );
  expect((await cli.run(['printer', 'create', '--dry-run'])).out).toContain(uri.replace(/^ipp/u, ''));
  expect((await cli.run(['printer', 'create', '--fax', '--dry-run'])).out).toMatch(
    /Faxdesk-Fax.*:\d+\/ipp\/faxout/u,
  );
  expect(await cli.run(['printer', 'create', '--network', '--dry-run'])).toMatchObject({ code: 6 });
  expect((await cli.run(['printer', 'remove', '--dry-run', '--name', 'Fax-2'])).out).toContain('Fax-2');
  expect(await cli.run(['printer', 'create', '--dry-run', '--name', "x'; rm"])).toMatchObject({ code: 9 });
});

test('faxdesk printer shows the name by which other computers find the printer', async () => {
  const https = ['HTTPS_ENABLED=true', 'HTTPS_HOST=127.0.0.1', 'HTTPS_PORT=0', 'HTTPS_ANNOUNCED=true'];
  const network = ['PRINT_TO_FAX=network', 'PRINT_NETWORK_HOST=127.0.0.1'];
  const changes = [...https, ...network, `PRINT_NETWORK_PORT=${await freePort()}`];
  expect(await cli.run(['settings', 'change', ...changes])).toMatchObject({ code: 0 });
  const shown = async () => (await cli.run(['printer', 'show'])).out;
  await expect.poll(shown, { timeout: 20_000 }).toMatch(/^Found in the network as: +Faxdesk/mu);
});

test.each([
  ['linux', 'lpadmin -p Faxdesk -E -v ipp://127.0.0.1:6310/ipp/print -m everywhere', 'lpadmin -x Faxdesk'],
  ['darwin', 'lpadmin -p Faxdesk -E -v ipp://127.0.0.1:6310/ipp/print -m everywhere', 'lpadmin -x Faxdesk'],
  [
    'win32',
    `powershell.exe -NoProfile -NonInteractive -Command "Add-Printer -Name 'Faxdesk' -IppURL 'http://127.0.0.1:6310/ipp/print'"`,
    `powershell.exe -NoProfile -NonInteractive -Command "Remove-Printer -Name 'Faxdesk'"`,
  ],
] as const)('the command on %s', (platform, add, remove) => {
  const printer = { name: 'Faxdesk', uri: 'ipp://127.0.0.1:6310/ipp/print' };
  expect(inShell(addPrinterCommand(platform, printer))).toBe(add);
  expect(inShell(removePrinterCommand(platform, 'Faxdesk'))).toBe(remove);
});
