import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';

const webConsole = testConsole({
  boot: { isNetworkOff: true },
  settings: { HTTPS_ENABLED: 'true', PRINT_TO_FAX: 'network' },
});

test('settings that open Faxdesk to the network say that the office has decided them', async (context) => {
  const { page } = await webConsole.open(context, { path: '/settings/other-computers' });
  await page.getByText('Your office has decided this for this computer.').waitFor();
  expect(await page.getByRole('switch', { name: 'Reachable over HTTPS' }).count()).toBe(0);
  expect(await page.getByRole('group', { name: 'Reachable over HTTPS' }).textContent()).toContain('Off');
  expect(await page.getByRole('switch', { name: 'Found in the local network' }).isEnabled()).toBe(true);
  await expectAccessible(page);
});

test('the fax printer is offered for this computer alone where the office has decided so', async (context) => {
  const { page } = await webConsole.open(context, { path: '/settings/print-to-fax' });
  await page.getByText('Your office has decided that other computers cannot print to it.').waitFor();
  await page.getByRole('button', { name: /Fax printer/u }).press('Enter');
  expect(await page.getByRole('option').allTextContents()).toEqual(['Off', 'This computer']);
});

test('System says that the office keeps other computers out, and advises nothing else', async (context) => {
  const { page } = await webConsole.open(context, { path: '/system/computers' });
  await page
    .getByText('Your office has decided that Faxdesk on this computer stays closed to the network.')
    .waitFor();
  expect(await page.getByRole('link', { name: 'Set it up' }).count()).toBe(0);
  expect(await page.getByText('turn on access over HTTPS').count()).toBe(0);
  await expectAccessible(page);
});
