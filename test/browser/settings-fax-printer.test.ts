import { expect, test } from 'vitest';
import { freePort } from '../setup/free-port.ts';
import { expectAccessible, testConsole } from './console.ts';
import { BRIDGE } from './desktop-bridge.ts';

let port = 0;
const webConsole = testConsole(async () => {
  port = await freePort();
  return { settings: { PRINT_PORT: String(port) } };
});

const PATH = '/settings/print-to-fax';
const TITLE = 'The printer on your computers';

test('the fax printer is added to the computer with one button, or the reason and the command are shown', async (context) => {
  const { page } = await webConsole.open(context, {
    path: PATH,
    script: `${BRIDGE}
      const answers = ['lpadmin: Forbidden', null];
      window.faxdesk.addPrinter = async (uri) => { noted.uri = uri; return answers.shift(); };`,
  });
  const part = page.getByRole('region', { name: TITLE });
  await part.getByText('Turn on the fax printer and save.').waitFor();
  await webConsole.gateway.set({ PRINT_TO_FAX: 'this_computer' });
  const add = part.getByRole('button', { name: 'Add the printer to this computer' });
  await add.press('Enter');
  await part.getByText('lpadmin: Forbidden').waitFor();
  await part.getByText(`lpadmin -p Faxdesk -E -v ipp://127.0.0.1:${port}/ipp/print -m everywhere`).waitFor();
  expect(await part.getByRole('group').count()).toBe(1);
  await expectAccessible(page);
  await add.press('Enter');
  await part.getByText('The printer “Faxdesk” was added to this computer.').waitFor();
  expect(await page.evaluate('noted.uri')).toBe(`ipp://127.0.0.1:${port}/ipp/print`);
  expect(await part.getByText('lpadmin').count()).toBe(0);
  const changes = page.getByRole('complementary', { name: 'Recent changes' });
  await changes.getByText('Fax printer: This computer, was Off').waitFor();
});

test('a browser shows the command for each system', async (context) => {
  await webConsole.gateway.set({ PRINT_TO_FAX: 'this_computer' });
  const { page } = await webConsole.open(context, { path: PATH });
  const part = page.getByRole('region', { name: TITLE });
  for (const [system, start] of [
    ['Windows 11', 'powershell.exe'],
    ['macOS', 'lpadmin'],
    ['Linux', 'lpadmin'],
  ] as const)
    await part
      .getByRole('group', { name: system })
      .getByText(new RegExp(`^${start}`, 'u'))
      .waitFor();
  await expectAccessible(page);
});
