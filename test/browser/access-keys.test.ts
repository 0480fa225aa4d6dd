import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { expectAccessible, MARA, testConsole } from './console.ts';
import { OtherAdministrator } from './other-administrator.ts';

const webConsole = testConsole();
const administrator = new OtherAdministrator(webConsole);

const dialog = (page: Page) => page.getByRole('dialog');
const details = (page: Page, name: string) => page.getByRole('complementary', { name, exact: true });

const statusWith = async (key: string) =>
  (await webConsole.gateway.request('GET', '/auth/me', { key })).status;

/** Returns the secret that is shown once, read as a person would copy it. */
async function tokenOf(page: Page): Promise<string> {
  const shown = dialog(page)
    .getByRole('group', { name: 'API key' })
    .getByText(/^key_live_/u);
  return (await shown.textContent()) ?? '';
}

test('a key is made for an integration, shown once, and does no more than its owner', async (context) => {
  const scanner = await administrator.createIntegration('Scan station');
  await administrator.assignRole(scanner, 'role_fax_viewer', 'installation');
  const { page } = await webConsole.open(context, { path: '/access/keys' });
  await page.getByRole('button', { name: 'New API key' }).click();
  await dialog(page).getByRole('combobox', { name: 'Belongs to' }).fill('scan');
  await page.getByRole('option', { name: 'Scan station' }).click();
  await dialog(page).getByLabel('Name').fill('Front desk scanner');
  await dialog(page).getByRole('checkbox', { name: 'See sent faxes and their state' }).press('Space');
  await dialog(page)
    .getByRole('button', { name: 'Also show permissions that Scan station does not have' })
    .click();
  const sending = dialog(page).getByRole('checkbox', { name: 'Send faxes' });
  await sending.press('Space');
  await dialog(page).getByText('No effect: Scan station does not have this permission there.').waitFor();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Create API key' }).click();
  await dialog(page).getByText('It is shown only now.').waitFor();
  await expectAccessible(page);
  const token = await tokenOf(page);
  expect(await statusWith(token)).toBe(200);
  await page.keyboard.press('Escape');
  expect(await tokenOf(page)).toBe(token);
  await dialog(page).getByRole('button', { name: 'I saved it' }).click();
  const key = details(page, 'API key');
  await key.getByText('An API key can never do more than Scan station.').waitFor();
  const line = key.getByRole('listitem').filter({ hasText: 'Send faxes' });
  await line.getByText('No effect: Scan station does not have this permission there.').waitFor();
  await expectAccessible(page);
  expect((await webConsole.gateway.request('GET', '/fax', { key: token })).status).toBe(200);
});

test('the key of a maker who has left says when it stops, and is taken over', async (context) => {
  const office = await administrator.createIntegration('Key office');
  const scanner = await administrator.createIntegration('Lab scanner');
  await administrator.assignRole(scanner, 'role_fax_viewer', 'installation');
  await administrator.assignRole(office, 'role_administrator', 'installation');
  const theirs = await administrator.createKey(office.id, 'Makes keys', ['keys:manage']);
  await administrator.createKey(scanner.id, 'Lab import', [], theirs);
  await administrator.disable(office.id);
  const { page } = await webConsole.open(context, { path: '/access/keys' });
  const first = page.getByRole('grid').getByRole('row').filter({ hasText: 'Lab import' });
  await first.getByText(/^Stops /u).waitFor();
  await first.click();
  const key = details(page, 'API key');
  await key.getByText('Key office, who created this API key, is disabled').waitFor();
  await expectAccessible(page);
  await key.getByRole('button', { name: 'Take over' }).press('Enter');
  await key.getByText('is disabled').waitFor({ state: 'detached' });
  await key.getByText('Active').waitFor();
  await first.getByText('Active').waitFor();
  // The focused control is gone, so the focus moves to the one beside it.
  await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false);
});

test('a key gets a new secret, is replaced and revoked', async (context) => {
  const { id } = await administrator.createPerson('Jonas Tveit', 'jonas');
  const first = await administrator.createKey(id, 'Referral import');
  const { page } = await webConsole.open(context, { path: `/access/keys?of=${id}` });
  await page.getByRole('row', { name: /Referral import/u }).click();
  const key = details(page, 'API key');
  await key.getByRole('button', { name: 'New secret…' }).press('Enter');
  await key.getByText('Create a new secret for Referral import?').waitFor();
  await expectAccessible(page);
  await key.getByRole('button', { name: 'Create new secret' }).press('Enter');
  const second = await tokenOf(page);
  expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);
  await dialog(page).getByRole('button', { name: 'I saved it' }).click();
  await key.getByRole('button', { name: 'Replace…' }).click();
  await dialog(page).getByText('Old API key expires').waitFor();
  await dialog(page).getByRole('button', { name: 'Create second API key' }).click();
  const third = await tokenOf(page);
  expect([await statusWith(second), await statusWith(third)]).toEqual([200, 200]);
  await dialog(page).getByRole('button', { name: 'I saved it' }).click();
  await expect.poll(() => page.getByRole('row', { name: /Referral import/u }).count()).toBe(2);
  await key.getByRole('button', { name: 'Revoke…' }).click();
  await key.getByRole('button', { name: 'Revoke it' }).click();
  await key.getByText('Revoked', { exact: true }).first().waitFor();
  expect([await statusWith(second), await statusWith(third)]).toEqual([200, 401]);
});

/** Makes of a key what the upgrade of an earlier release leaves of one that might do everything. */
async function lockForReview(token: string): Promise<void> {
  const db = openDatabase({
    postgresUrl: null,
    sqliteFile: join(webConsole.gateway.dataFolder, 'faxdesk.sqlite'),
  });
  await db.transaction((tx) =>
    tx
      .updateTable('api_key')
      .set({ state: 'review', ceiling: '[{"permission":"*","resource_id":"installation"}]' })
      .where('key_id', '=', token.split('_')[2] ?? '')
      .execute(),
  );
  await db.close();
}

test('a key of an earlier release is let in again with an owner and less', async (context) => {
  const { id } = await administrator.createPerson('Priya Sandoval', 'priya');
  const archive = await administrator.createIntegration('Archive');
  await administrator.assignRole(archive, 'role_fax_viewer', 'installation');
  const token = await administrator.createKey(id, 'Old archive');
  await lockForReview(token);
  const { page } = await webConsole.open(context, { path: '/access/keys' });
  await page.getByText('API keys from an earlier release need your review').waitFor();
  await page.getByRole('button', { name: 'Show them' }).click();
  await page.getByRole('row', { name: /Old archive/u }).click();
  const key = details(page, 'API key');
  await key.getByText('No effect: this release has no such permission.').waitFor();
  expect(await statusWith(token)).toBe(401);
  await key.getByRole('button', { name: 'Approve…' }).click();
  await dialog(page).getByRole('combobox', { name: 'Belongs to' }).fill('arch');
  await page.getByRole('option', { name: 'Archive' }).click();
  await dialog(page).getByRole('button', { name: 'Check all permissions of Archive' }).click();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Approve API key' }).click();
  await key.getByText('An API key can never do more than Archive.').waitFor();
  const { items } = await administrator.rooms.keys.listAccessKeys({ query: { principal_id: archive.id } });
  expect(items).toMatchObject([{ state: 'active', principal: { display_name: 'Archive' } }]);
  expect(items[0]?.ceiling).toHaveLength(7);
  webConsole.gateway.clock.advance(SECOND);
  expect(await statusWith(token)).toBe(200);
});

/** The dark squares of a QR picture, row by row. */
function darkOf(text: string): [number, number][] {
  const { data } = encode(text, { ecc: 'M', border: 4 });
  return data.flatMap((row, y) => row.flatMap((isDark, x): [number, number][] => (isDark ? [[x, y]] : [])));
}

test('a device is paired with the code of the window, listed, and locked out', async (context) => {
  const { page } = await webConsole.open(context, { path: '/access/devices' });
  await page.getByText('No paired devices').waitFor();
  await page.keyboard.press('Shift+N');
  await dialog(page).getByLabel('Name').waitFor();
  await page.keyboard.type('Phone of Mara');
  await page.keyboard.press('Enter');
  const digits = dialog(page).getByRole('img', { name: 'The code is' });
  const code = ((await digits.getAttribute('aria-label')) ?? '').replaceAll(/\D/gu, '');
  const picture = dialog(page).getByRole('img', { name: 'The code as a picture for the camera' });
  const drawn = (await picture.locator('path').getAttribute('d')) ?? '';
  const text = JSON.stringify({ faxdesk: 1, url: webConsole.gateway.url, code });
  expect([...drawn.matchAll(/M(\d+) (\d+)/gu)].map(([, x, y]) => [Number(x), Number(y)])).toEqual(
    darkOf(text),
  );
  await dialog(page)
    .getByText(/^Valid for [45]:\d\d$/u)
    .waitFor();
  await dialog(page).getByText('This address works only on this computer.').waitFor();
  await expectAccessible(page);
  const answer = await webConsole.gateway.request('POST', '/mobile/pair', { key: null, json: { code } });
  const { token } = (await answer.json()) as { token: string };
  await dialog(page).getByText('Phone of Mara can send and read faxes now.').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  expect(await statusWith(token)).toBe(200);
  await page.getByRole('row', { name: /Phone of Mara/u }).click();
  const device = details(page, 'Device');
  await device.getByText('Open received documents').waitFor();
  await expectAccessible(page);
  await device.getByRole('button', { name: 'Remove…' }).click();
  await device.getByRole('button', { name: 'Remove it' }).click();
  await page.getByText('No paired devices').waitFor();
  expect(await statusWith(token)).toBe(401);
});

test('the security audit shows in words what was done and refused, and downloads as a file', async (context) => {
  await administrator.createGroup('Audited group');
  await webConsole.gateway.request('POST', '/auth/login', {
    key: null,
    json: { login: MARA.login, password: 'not her password' },
    headers: { Origin: webConsole.gateway.url },
  });
  const { page } = await webConsole.open(context, { path: '/access/audit' });
  const rows = page.getByRole('grid', { name: 'Security audit' }).getByRole('row');
  await rows.filter({ hasText: 'created the group Audited group.' }).click();
  const event = details(page, 'Event');
  await event.getByText('Audited group', { exact: true }).waitFor();
  const fold = event.getByRole('button', { name: 'Details', exact: true });
  await expect.poll(() => event.getByText('group.create').isVisible()).toBe(false);
  await fold.press('Enter');
  await event.getByText('group.create').waitFor();
  await event.getByText('Policy version').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await event.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Refused only' }).click();
  await rows.filter({ hasText: 'created the group' }).waitFor({ state: 'detached' });
  await rows.filter({ hasText: `${MARA.name} tried to sign in and was refused.` }).waitFor();
  await expectAccessible(page);
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download this list as CSV' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^faxdesk-audit-.*\.csv$/u);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines.slice(1).every((line) => line.includes('refused'))).toBe(true);
  expect(lines.length).toBeGreaterThan(1);
});

test('every part is usable in a small window and magnified', async (context) => {
  const { page } = await webConsole.open(context, { path: '/access' });
  for (const viewport of [
    { width: 1024, height: 700 },
    { width: 720, height: 450 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto('/admin/ui/access');
    const parts = page.getByRole('navigation', { name: 'Access pages' });
    for (const part of [
      'Roles',
      'Role assignments',
      'API keys',
      'Webhooks',
      'Mailboxes',
      'Devices',
      'Security audit',
    ]) {
      await parts.getByRole('link', { name: part }).click();
      await page.getByRole('heading', { level: 2, name: part, exact: true }).waitFor();
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'))
        .toBe(true);
    }
  }
});
