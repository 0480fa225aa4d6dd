import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { SECOND } from '../setup/manual-clock.ts';
import { createKey, sendWith } from '../setup/test-keys.ts';
import { expectAccessible, testConsole } from './console.ts';
import { OtherAdministrator } from './other-administrator.ts';
import { details, nextNumber, rowOf } from './sent-page.ts';

const webConsole = testConsole();
const administrator = new OtherAdministrator(webConsole);
const dialog = (page: Page) => page.getByRole('dialog');
const chip = (page: Page) => page.getByRole('button', { name: 'test faxes', exact: true });

test('rule (screens): the filter for test faxes is there once there is a test key, and comes with its first fax', async (context) => {
  const { gateway } = webConsole;
  await gateway.set({ INBOUND_ENABLED: true });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await page.getByRole('button', { name: /unread/u }).waitFor();
  expect(await chip(page).count()).toBe(0);
  await page.getByRole('link', { name: 'Sent' }).click();
  await page.getByRole('button', { name: /sent by me/u }).waitFor();
  expect(await chip(page).count()).toBe(0);
  const key = await createKey(gateway, { test: true });
  await sendWith(gateway, key, { to: nextNumber().e164 });
  await gateway.processAll();
  await chip(page).waitFor();
  await page.getByRole('link', { name: 'Inbox' }).click();
  await chip(page).waitFor();
});

test('a test key is made with a check box, stays one, and is marked in the list', async (context) => {
  const shop = await administrator.createIntegration('Shop system');
  await administrator.assignRole(shop, 'role_fax_operator', 'installation');
  const { page } = await webConsole.open(context, { path: '/access/keys' });
  await page.getByRole('button', { name: 'New API key' }).click();
  await dialog(page).getByRole('combobox', { name: 'Belongs to' }).fill('shop');
  await page.getByRole('option', { name: 'Shop system' }).click();
  await dialog(page).getByLabel('Name').fill('Trial of the shop');
  await dialog(page).getByRole('checkbox', { name: 'Test key' }).press('Space');
  const work = dialog(page).getByRole('checkbox', { name: 'See the work queue' });
  await work.press('Space');
  await dialog(page).getByText('A test key can have only permissions for sent and received faxes.').waitFor();
  await work.press('Space');
  await dialog(page).getByRole('checkbox', { name: 'Send faxes' }).press('Space');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Create API key' }).click();
  await dialog(page)
    .getByText(/^key_test_/u)
    .waitFor();
  await dialog(page).getByRole('button', { name: 'I saved it' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Trial of the shop' });
  await row.getByText('Test', { exact: true }).waitFor();
  await page.getByText('This is a test key.').waitFor();
});

test('rule (screens): test faxes are in Sent and Inbox only while a person shows them, and are marked', async (context) => {
  const { gateway } = webConsole;
  await gateway.set({ INBOUND_ENABLED: true });
  const key = await createKey(gateway, { test: true });
  const number = nextNumber();
  await sendWith(gateway, key, { to: number.e164 });
  await gateway.processAll();
  gateway.clock.advance(3 * SECOND);
  await gateway.processAll();
  const { page } = await webConsole.open(context, { path: '/sent' });
  await chip(page).waitFor();
  expect(await rowOf(page, number.shown).count()).toBe(0);
  await chip(page).click();
  await rowOf(page, number.shown).getByText('Test', { exact: true }).waitFor();
  expect(page.url()).toContain('tests=shown');
  await rowOf(page, number.shown).click();
  await details(page).getByText('This is a test fax.').waitFor();
  await details(page).getByText('The test is under way.').waitFor();
  expect(await details(page).textContent()).not.toMatch(/Page 1|are confirmed|accepted it/u);
  await expectAccessible(page);
  await page.reload();
  await rowOf(page, number.shown).waitFor();

  const came = await gateway.request('POST', '/inbound/test-fax', {
    key,
    json: { from_number: '+12025550144' },
  });
  expect(came.status).toBe(201);
  await page.goto(`${new URL(page.url()).origin}/admin/ui/inbox`);
  await chip(page).waitFor();
  expect(await page.getByText('Test fax', { exact: true }).count()).toBe(0);
  await chip(page).click();
  await page.getByText('Test fax', { exact: true }).first().waitFor();
  await expectAccessible(page);
});
