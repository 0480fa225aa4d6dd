import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { expectAccessible, testConsole } from './console.ts';
import { OtherAdministrator } from './other-administrator.ts';

const webConsole = testConsole({ settings: { FAX_DEFAULT_COUNTRY: 'US' } });
const administrator = new OtherAdministrator(webConsole);

const dialog = (page: Page) => page.getByRole('dialog');
const details = (page: Page, name: string) => page.getByRole('complementary', { name, exact: true });

/** Chooses from a list that opens, within the dialog. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await dialog(page)
    .getByRole('button', { name: new RegExp(` ${label}$`, 'u') })
    .click();
  await page.getByRole('option', { name: option }).click();
}

async function rolesNamed(name: string) {
  const { items } = await administrator.rooms.roles.listRoles({ query: {} });
  return items.filter((role) => role.name === name);
}

test('a custom role is created with the keyboard alone, and compared with the built-in ones', async (context) => {
  const { page } = await webConsole.open(context, { path: '/access/roles' });
  await page.getByRole('row', { name: /Fax Viewer/u }).waitFor();
  await page.keyboard.press('Shift+N');
  await dialog(page).waitFor();
  await page.keyboard.type('Referral clerk');
  const sending = dialog(page).getByRole('checkbox', { name: 'Send faxes' });
  await sending.focus();
  await page.keyboard.press('Space');
  const received = dialog(page).getByRole('checkbox', { name: 'Everything in Received faxes' });
  await received.focus();
  await page.keyboard.press('Space');
  await expect
    .poll(() => dialog(page).getByRole('checkbox', { name: 'Open received documents' }).isChecked())
    .toBe(true);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  const role = details(page, 'Role');
  await role.getByRole('heading', { name: 'Referral clerk' }).waitFor();
  await role.getByText('Open received documents').waitFor();
  expect(await rolesNamed('Referral clerk')).toMatchObject([
    { permissions: ['fax:send', 'inbound:list', 'inbound:read', 'inbound:document'], built_in: false },
  ]);
  await page.getByRole('button', { name: 'Compare' }).press('Enter');
  const row = page.getByRole('table').getByRole('row', { name: 'Send faxes' });
  await row.waitFor();
  // Administrator, Auditor, Fax Operator, Fax Viewer, Owner, Referral clerk.
  await expect
    .poll(() => row.getByRole('cell').allTextContents())
    .toEqual(['Yes', 'No', 'Yes', 'No', 'Yes', 'Yes']);
  await expectAccessible(page);
});

test('only the second factor of a built-in role can be changed', async (context) => {
  const { page } = await webConsole.open(context, { path: '/access/roles' });
  await page.getByRole('row', { name: /Auditor/u }).click();
  const role = details(page, 'Role');
  await role.getByText('A built-in role cannot be changed.').waitFor();
  await expect.poll(() => role.getByRole('button', { name: 'Edit…' }).count()).toBe(0);
  const factor = role.getByRole('switch', { name: /second factor/u });
  await factor.press('Space');
  await role.getByText('Without one, all they can do is set it up.').waitFor();
  await expect.poll(() => rolesNamed('Auditor')).toMatchObject([{ requires_two_factor: true }]);
  await factor.press('Space');
  await role.getByText('Without one, all they can do is set it up.').waitFor({ state: 'detached' });
  await expect.poll(() => rolesNamed('Auditor')).toMatchObject([{ requires_two_factor: false }]);
});

test('typed values are kept when somebody else saves first', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/access/roles' });
  complaints.allow('409 POST /access/roles');
  await page.getByRole('button', { name: 'New role' }).click();
  await dialog(page).getByLabel('Name').fill('Night shift');
  await administrator.createGroup('Meanwhile');
  await dialog(page).getByRole('button', { name: 'Create role' }).click();
  await dialog(page).getByText('Someone else changed this in the meantime').waitFor();
  await expectAccessible(page);
  expect(await rolesNamed('Night shift')).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Reload' }).click();
  await dialog(page).getByText('Someone else changed this').waitFor({ state: 'detached' });
  await expect.poll(() => dialog(page).getByLabel('Name').inputValue()).toBe('Night shift');
  await dialog(page).getByRole('button', { name: 'Create role' }).click();
  await details(page, 'Role').getByText('It allows nothing yet.').waitFor();
  expect(await rolesNamed('Night shift')).toHaveLength(1);
});

test('a role is given to a group in one mailbox with its effect explained, and removed', async (context) => {
  await administrator.createGroup('Nurses');
  const box = await administrator.createMailbox('Referrals');
  const { page } = await webConsole.open(context, { path: '/access/assignments' });
  await page.getByRole('row', { name: /Mara Okafor/u }).waitFor();
  await page.keyboard.press('Shift+N');
  await dialog(page).getByRole('combobox', { name: 'Who' }).fill('nur');
  await page.getByRole('option', { name: 'Nurses' }).click();
  await choose(page, 'Role', 'Auditor');
  await choose(page, 'Where', 'Mailbox Referrals');
  await dialog(page).getByText('In Mailbox Referrals it will allow everyone in Nurses to').waitFor();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Give role' }).click();
  const grant = details(page, 'Role assignment');
  await grant.getByRole('heading', { name: 'Auditor for Nurses' }).waitFor();
  // Most of what an auditor may do cannot be limited to a mailbox.
  const settings = grant.getByRole('listitem').filter({ hasText: 'See the settings' });
  await expect
    .poll(() => settings.textContent())
    .toContain('This has no effect when limited to one mailbox or fax.');
  await expectAccessible(page);
  const given = { query: { resource_id: `mailbox:${box.id}` } };
  expect((await administrator.rooms.assignments.listAssignments(given)).items).toHaveLength(1);
  await grant.getByRole('button', { name: 'Remove…' }).press('Enter');
  await grant.getByText('Remove Auditor from Nurses?').waitFor();
  await expect
    .poll(() => grant.getByRole('button', { name: 'Keep it' }).and(page.locator(':focus')).count())
    .toBe(1);
  await grant.getByRole('button', { name: 'Remove it' }).press('Enter');
  await grant.waitFor({ state: 'detached' });
  expect((await administrator.rooms.assignments.listAssignments(given)).items).toEqual([]);
});

test('the list of role assignments is filtered, and the filter is in the address', async (context) => {
  const { id } = await administrator.createGroup('Front desk');
  const group = await administrator.rooms.groups.getGroup({ params: { id } });
  await administrator.assignRole(group.group, 'role_fax_viewer', 'installation');
  const { page } = await webConsole.open(context, { path: '/access/assignments' });
  const rows = page
    .getByRole('grid', { name: 'Role assignments' })
    .getByRole('row')
    .filter({ hasText: 'Everything' });
  await rows.filter({ hasText: 'Mara Okafor' }).waitFor();
  await page.getByRole('combobox', { name: 'Person or group' }).fill('front');
  await page.getByRole('option', { name: 'Front desk' }).click();
  await rows.filter({ hasText: 'Mara Okafor' }).waitFor({ state: 'detached' });
  await rows.filter({ hasText: 'Fax Viewer' }).waitFor();
  await expect.poll(() => page.url()).toContain(`of=${id}`);
  await page.reload();
  await rows.filter({ hasText: 'Front desk' }).waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show all' }).click();
  await rows.filter({ hasText: 'Mara Okafor' }).waitFor();
});

test('a number is added to a mailbox and moved to another one', async (context) => {
  await administrator.createMailbox('Laboratory');
  const { page } = await webConsole.open(context, { path: '/access/mailboxes' });
  await page.getByRole('row', { name: /Laboratory/u }).waitFor();
  await page.keyboard.press('Shift+N');
  await dialog(page).waitFor();
  await page.keyboard.type('Front office');
  await page.keyboard.press('Enter');
  const box = details(page, 'Mailbox');
  await box.getByText('No numbers yet.').waitFor();
  await box.getByRole('button', { name: 'Add number' }).press('Enter');
  await dialog(page).waitFor();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('This is not a complete fax number.').waitFor();
  await dialog(page).getByLabel('Fax number').fill('(503) 555-0120');
  await dialog(page).getByText('New faxes to +1 503 555 0120 go to this mailbox.').waitFor();
  const posted = page.waitForRequest((request) => request.url().endsWith('/access/inbound-rules'));
  await page.keyboard.press('Enter');
  expect((await posted).postDataJSON()).toMatchObject({ to_number: '+15035550120' });
  await dialog(page).waitFor({ state: 'detached' });
  await box.getByText('+1 503 555 0120').waitFor();
  await expectAccessible(page);
  await box.getByRole('button', { name: 'Change +1 503 555 0120' }).click();
  await page.getByRole('menuitem', { name: 'Move to another mailbox…' }).click();
  await choose(page, 'To', 'Laboratory');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Move number' }).click();
  await box.getByText('No numbers yet.').waitFor();
  await page
    .getByRole('row', { name: /Laboratory/u })
    .getByText('+1 503 555 0120')
    .waitFor();
  await box.getByRole('button', { name: 'Disable…' }).click();
  await box.getByRole('button', { name: 'Disable it' }).click();
  await box.getByRole('button', { name: 'Enable' }).waitFor();
  const { items } = await administrator.rooms.mailboxes.listMailboxes({ query: {} });
  expect(items).toMatchObject([
    { label: 'Front office', enabled: false, numbers: [] },
    { label: 'Laboratory', enabled: true, numbers: ['+15035550120'] },
    { label: 'Referrals' },
  ]);
});

test('a mailbox gets a target and a backup person, and shows when that person cannot take over', async (context) => {
  const { id } = await administrator.createMailbox('Radiology');
  const people = new MailboxPeople(webConsole.gateway);
  const bea = await people.addUser('Bea Lind', { [`mailbox:${id}`]: ['work:read', 'inbound:read'] });
  const { page, complaints } = await webConsole.open(context, { path: `/access/mailboxes/${id}` });
  complaints.allow('409 PUT /work/settings');
  const queue = details(page, 'Mailbox').getByRole('region', { name: 'Work queue' });
  await queue.getByText('No target, as set for all mailboxes').waitFor();
  await queue.getByRole('button', { name: 'Change…' }).press('Enter');
  await dialog(page).waitFor();
  await page.keyboard.type('soon');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Enter whole hours from 0 to 8,760').waitFor();
  await dialog(page).getByLabel('Acknowledge within').fill('1.5 days');
  await choose(page, 'Backup person', 'Bea Lind');
  await expectAccessible(page);
  // Somebody else saves first: the typed values stay, and are saved after their change was shown.
  const set = (hours: number | null, backup: string | null, version: number) =>
    administrator.rooms.work.changeWorkSettings({
      body: {
        mailboxes: [{ mailbox_id: id, acknowledge_hours: hours, backup_principal_id: backup, version }],
      },
    });
  await set(8, null, 1);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await dialog(page).getByText('Someone else changed this in the meantime').waitFor();
  await dialog(page).getByRole('button', { name: 'Reload' }).click();
  await queue.getByText('8 hours').waitFor({ state: 'attached' });
  await expect.poll(() => dialog(page).getByLabel('Acknowledge within').inputValue()).toBe('1.5 days');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await queue.getByText('36 hours').waitFor();
  await queue.getByText('Bea Lind').waitFor();
  await people.grant(bea.id, {});
  await page.reload();
  await queue.getByText('Bea Lind cannot take over').waitFor();
  await expectAccessible(page);
});

test('a person with read permissions sees only the pages of these, and nothing to change', async (context) => {
  const { id } = await administrator.createMailbox('Cardiology');
  const key = await webConsole.keyWith('mailboxes:read', 'roles:read');
  const { page } = await webConsole.open(context, { path: `/access/mailboxes/${id}`, as: { key } });
  const box = details(page, 'Mailbox');
  await box.getByText('No numbers yet.').waitFor();
  await expect.poll(() => box.getByRole('button').allTextContents()).toEqual(['']);
  await expect.poll(() => page.getByRole('button', { name: 'New mailbox' }).count()).toBe(0);
  const parts = page.getByRole('navigation', { name: 'Access pages' }).getByRole('link');
  await expect.poll(() => parts.allTextContents()).toEqual(['Roles', 'Mailboxes']);
  await parts.filter({ hasText: 'Roles' }).click();
  await page.getByRole('row', { name: /Fax Operator/u }).click();
  await details(page, 'Role').getByText('Send faxes').waitFor();
  await expect.poll(() => page.getByRole('switch', { name: /second factor/u }).isDisabled()).toBe(true);
  await expectAccessible(page);
});

test('a main button that is off says beside it what is missing', async (context) => {
  const { page } = await webConsole.open(context, { path: '/access/roles' });
  const main = (name: string) => dialog(page).getByRole('button', { name, exact: true });
  const says = async (name: string, sentence: string) => {
    await dialog(page).getByText(sentence, { exact: true }).waitFor();
    expect(await main(name).isDisabled()).toBe(true);
    await expectAccessible(page);
  };
  const dialogs = [
    ['roles', 'New role', 'Create role', 'Enter a name first.'],
    ['mailboxes', 'New mailbox', 'Create mailbox', 'Enter a name first.'],
    ['keys', 'New API key', 'Create API key', 'Choose who it is for first.'],
    ['assignments', 'Give a role', 'Give role', 'Choose who it is for first.'],
  ] as const;
  for (const [part, opens, name, sentence] of dialogs) {
    await page.goto(`/admin/ui/access/${part}`);
    await page.getByRole('button', { name: new RegExp(`^${opens}`, 'u') }).click();
    await says(name, sentence);
  }
  await page.goto('/admin/ui/access/roles');
  await page.getByRole('button', { name: /^New role/u }).click();
  await page.keyboard.type('Night desk');
  await dialog(page).getByText('Enter a name first.').waitFor({ state: 'detached' });
  expect(await main('Create role').isEnabled()).toBe(true);
});
