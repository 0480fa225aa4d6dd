import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, MARA, testConsole } from './console.ts';
import { OtherAdministrator } from './other-administrator.ts';

const webConsole = testConsole();
const administrator = new OtherAdministrator(webConsole);

const person = (page: Page) => page.getByRole('complementary', { name: 'Person' });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const row = (page: Page, name: string) =>
  page.getByRole('grid', { name: 'People, by name' }).getByRole('row').filter({ hasText: name });

const shownPassword = (page: Page, name: string) =>
  dialog(page, `Temporary password for ${name}`)
    .getByRole('group', { name: 'Temporary password' })
    .locator('code');

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await dialog(page, 'New person')
    .getByRole('button', { name: new RegExp(`${label}$`, 'u') })
    .click();
  await page.getByRole('option', { name: option }).click();
}

/** Width in px of the part of a text that is cut off. */
const hiddenWidth = (it: unknown) => {
  const { scrollWidth, clientWidth } = it as { scrollWidth: number; clientWidth: number };
  return scrollWidth - clientWidth;
};

/** Counts the calls of `window.print`. */
const COUNT_PRINTS = 'window.prints = 0; window.print = () => { window.prints += 1; };';

test('one dialog gives a new person a role, its mailbox and a group', async (context) => {
  await administrator.createGroup('Reception');
  await administrator.createMailbox('Lab results');
  const { page } = await webConsole.open(context, { path: '/access/people' });
  await page.getByRole('button', { name: 'New person' }).click();
  const form = dialog(page, 'New person');
  await page.keyboard.type('Tove Lindqvist');
  await expect.poll(() => form.getByRole('button', { name: /Mailbox/u }).count()).toBe(0);
  await choose(page, 'Role', /^Fax Operator/u);
  await choose(page, 'Mailbox', 'Lab results');
  await form.getByText(/^In Mailbox Lab results it will allow Tove Lindqvist to/u).waitFor();
  await choose(page, 'Group', 'Reception');
  await expectAccessible(page);
  // After the last field comes the main button, then Cancel.
  await form.getByRole('button', { name: /Group$/u }).focus();
  await page.keyboard.press('Tab');
  const create = form.getByRole('button', { name: 'Create person' });
  await expect.poll(() => create.and(page.locator(':focus')).count()).toBe(1);
  await create.press('Enter');
  await page.getByRole('button', { name: 'Done' }).click();
  await person(page).getByRole('link', { name: 'Reception' }).waitFor();
  const there = person(page).getByRole('region', { name: 'Mailbox Lab results' });
  await there
    .getByText('From the role Fax Operator, given directly on mailbox Lab results')
    .first()
    .waitFor();
});

test('the palette opens the dialog of a new person, and not another action with the same id', async (context) => {
  const { page } = await webConsole.open(context, { path: '/access/people' });
  await page.getByRole('button', { name: 'New person' }).waitFor();
  await page.keyboard.press('Control+K');
  await page.keyboard.type('new person');
  await page.keyboard.press('Enter');
  await dialog(page, 'New person').waitFor();
});

test('the longest state is read whole beside the open details, also in a small window', async (context) => {
  const { id } = await administrator.createPerson('Rita Sommer', 'rita');
  const { page } = await webConsole.open(context, { path: `/access/people/${id}` });
  await person(page).getByRole('heading', { name: 'Rita Sommer', exact: true }).waitFor();
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1024, height: 700 },
  ]) {
    await page.setViewportSize(size);
    const state = row(page, 'Rita Sommer').getByText('Password pending', { exact: true });
    const cut = () => state.evaluate(hiddenWidth);
    await expect.poll(cut, { message: `${size.width}` }).toBe(0);
  }
});

test('a role that is refused leaves the person and the password, and is named', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/access/people' });
  complaints.allow('400 POST /access/assignments');
  await page.route('**/access/assignments', (route) =>
    route.request().method() === 'POST'
      ? route.continue({ postData: '{}', headers: route.request().headers() })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'New person' }).click();
  await page.keyboard.type('Ravi Menon');
  await choose(page, 'Role', /^Fax Viewer/u);
  await page.getByRole('button', { name: 'Create person' }).click();
  await dialog(page, 'Temporary password for Ravi Menon')
    .getByText('The role Fax Viewer was not given.')
    .waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await person(page).getByText('Nothing yet').waitFor();
});

test('a temporary password is shown whole, copied and printed', async (context) => {
  const { page } = await webConsole.open(context, {
    path: '/access/people',
    script: COUNT_PRINTS,
    viewport: { width: 1024, height: 700 },
  });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'New person' }).click();
  await page.keyboard.type('Wanda Petit');
  await page.keyboard.press('Enter');
  const code = shownPassword(page, 'Wanda Petit');
  const password = (await code.textContent()) ?? '';
  expect(password).toMatch(/^([a-z]+-){5}[a-z]+$/u);
  expect(await code.evaluate((it) => it.scrollWidth <= it.clientWidth)).toBe(true);
  await expectAccessible(page);
  await dialog(page, /Wanda Petit/u)
    .getByRole('button', { name: 'Copy' })
    .click();
  await dialog(page, /Wanda Petit/u)
    .getByRole('button', { name: 'Copied' })
    .waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(password);
  await page.getByRole('button', { name: 'Print' }).click();
  expect(await page.evaluate('window.prints')).toBe(1);
  await page.emulateMedia({ media: 'print' });
  const paper = await page.locator('body').innerText();
  expect(paper).toContain(password);
  expect(paper).toContain('Faxdesk sign-in for Wanda Petit');
  expect(paper).not.toContain('New person');
  await page.emulateMedia({ media: null });
});

test('a temporary password outlives the idle lock until it is dismissed', async (context) => {
  const { page, complaints } = await webConsole.open(context, {
    path: '/access/people',
    prepare: (it) => it.clock.install(),
  });
  // The clock jumps over its next question and the lock at once.
  complaints.allow('401 GET /console/installation');
  await page.getByRole('button', { name: 'New person' }).click();
  await page.keyboard.type('Liv Aasen');
  await page.keyboard.press('Enter');
  const password = (await shownPassword(page, 'Liv Aasen').textContent()) ?? '';
  await page.clock.fastForward('10:30');
  await unlock(page, password);
  expect(await shownPassword(page, 'Liv Aasen').textContent()).toBe(password);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('Control+Shift+L');
  await unlock(page, password);
  await row(page, 'Liv Aasen').waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

test('another temporary password is made in its dialog, until the person has chosen their own', async (context) => {
  const { page } = await webConsole.open(context, { path: '/access/people' });
  await page.getByRole('button', { name: 'New person' }).click();
  await page.keyboard.type('Noor Haddad');
  await page.keyboard.press('Enter');
  const code = shownPassword(page, 'Noor Haddad');
  const first = (await code.textContent()) ?? '';
  await page.getByRole('button', { name: 'Make another' }).click();
  await expect.poll(() => code.textContent()).not.toBe(first);
  const second = (await code.textContent()) ?? '';
  expect(await statusOf('noor', first)).toBe(401);
  const theirs = await webConsole.open(context, { as: null });
  await administrator.signIn(theirs.page, 'noor', second);
  await theirs.page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
  await theirs.page.getByLabel('New password', { exact: true }).fill('a quiet harbor at dawn');
  await theirs.page.getByLabel('Repeat new password', { exact: true }).fill('a quiet harbor at dawn');
  await theirs.page.keyboard.press('Enter');
  await expect
    .poll(() => theirs.page.getByRole('heading', { name: 'Choose your own password' }).count())
    .toBe(0);
  await page.getByRole('button', { name: 'Make another' }).click();
  await page.getByText('Noor Haddad has already chosen a password').waitFor();
  expect(await statusOf('noor', 'a quiet harbor at dawn')).toBe(200);
});

/** Unlocks the window, on which the password is not shown meanwhile. */
async function unlock(page: Page, password: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Locked' }).waitFor();
  expect(await page.content()).not.toContain(password);
  await page.getByLabel('Password', { exact: true }).fill(MARA.password);
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'People, by name', includeHidden: true }).waitFor();
}

async function statusOf(login: string, password: string): Promise<number> {
  const headers = { Origin: webConsole.gateway.url };
  const json = { login, password };
  return (await webConsole.gateway.request('POST', '/auth/login', { key: null, json, headers })).status;
}

test('a new person signs in, is put into a group, and their details show what they may do and why', async (context) => {
  const group = await administrator.createGroup('Front desk');
  const referrals = await administrator.createMailbox('Referrals');
  await administrator.assignRole(group, 'role_fax_viewer', `mailbox:${referrals.id}`);
  const { page } = await webConsole.open(context, { path: '/access' });
  await row(page, 'Mara Okafor').waitFor();
  await page.keyboard.press('Shift+N');
  await dialog(page, 'New person').waitFor();
  await page.keyboard.type('Jonas Tveit');
  await expect.poll(() => page.getByLabel('Sign-in name').inputValue()).toBe('jonas');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  const password = await shownPassword(page, 'Jonas Tveit').textContent();
  await page.getByText('They sign in as jonas.').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await person(page).getByRole('heading', { name: 'Jonas Tveit', exact: true }).waitFor();
  expect(await page.content()).not.toContain(password);
  await row(page, 'Jonas Tveit').getByText('Password pending').waitFor();
  await person(page).getByText('Nothing yet').waitFor();
  await person(page).getByRole('button', { name: 'Add to a group' }).click();
  await page.getByRole('button', { name: /Choose a group/u }).click();
  await page.getByRole('option', { name: 'Front desk' }).click();
  await dialog(page, 'Add Jonas Tveit to a group').getByRole('button', { name: 'Add', exact: true }).click();
  const why = person(page).getByRole('region', { name: 'Permissions of Jonas Tveit' });
  const there = why.getByRole('region', { name: 'Mailbox Referrals' });
  const opens = there.getByRole('listitem').filter({ hasText: 'Open received documents' });
  await opens
    .getByText('From the role Fax Viewer, given to the group Front desk on mailbox Referrals')
    .waitFor();
  await why.getByRole('button', { name: /Not allowed anywhere/u }).click();
  await why.getByText('Change the settings').waitFor();
  await expectAccessible(page);
  const theirs = await webConsole.open(context, { as: null });
  await administrator.signIn(theirs.page, 'jonas', password ?? '');
  await theirs.page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
  // The one that was just typed is not asked for again.
  await expect.poll(() => theirs.page.getByLabel('Current password').count()).toBe(0);
  await theirs.page.keyboard.type('a quiet harbor at dawn');
  // From one password to the next, past Show.
  await theirs.page.keyboard.press('Tab');
  await theirs.page.keyboard.type('a quiet harbor at dawn');
  await theirs.page.keyboard.press('Enter');
  await theirs.page.getByRole('link', { name: 'Inbox', exact: true }).waitFor();
});

test('a role is given from the page of a person, who is chosen already', async (context) => {
  const ines = await administrator.createPerson('Ines Duarte', 'ines');
  const { page } = await webConsole.open(context, { path: `/access/people/${ines.id}` });
  await person(page).getByRole('button', { name: 'Give a role' }).click();
  const giving = dialog(page, 'Give a role');
  await giving.getByText('Ines Duarte').waitFor();
  await giving.getByRole('button', { name: /Role/u }).click();
  await page.getByRole('option', { name: /^Fax Viewer/u }).click();
  await expectAccessible(page);
  await giving.getByRole('button', { name: 'Give role' }).click();
  await person(page)
    .getByRole('region', { name: 'Permissions of Ines Duarte' })
    .getByText('Open received documents')
    .waitFor();
});

test('a change by someone else meanwhile is shown, and what was typed stays', async (context) => {
  const hana = await administrator.createPerson('Hana Voss', 'hana');
  const { page, complaints } = await webConsole.open(context, { path: `/access/people/${hana.id}` });
  complaints.allow(`409 PATCH /access/users/${hana.id}`);
  await person(page).getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Sign-in name').fill('hana.voss');
  await administrator.rename(hana.id, 'Hana Voss-Lund');
  await page.keyboard.press('Enter');
  const question = dialog(page, 'Rename Hana Voss');
  await question.getByText('Someone else changed this in the meantime').waitFor();
  await expect.poll(() => question.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Hana Voss-Lund');
  await expect.poll(() => page.getByLabel('Sign-in name').inputValue()).toBe('hana.voss');
  await question.getByRole('button', { name: 'Save' }).click();
  await question.waitFor({ state: 'detached' });
  const { user } = await administrator.rooms.people.getUser({ params: { id: hana.id } });
  expect(user).toMatchObject({ display_name: 'Hana Voss-Lund', login: 'hana.voss' });
});

test('who is disabled is signed out at once, and comes back with a new password', async (context) => {
  const { id, temporary_password } = await administrator.createPerson('Rafael Brandt', 'rafael');
  const theirs = await webConsole.open(context, { as: null });
  await administrator.signIn(theirs.page, 'rafael', temporary_password);
  await theirs.page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
  const { page } = await webConsole.open(context, { path: '/access/people' });
  await page.getByLabel('Search people').fill('rafa');
  await row(page, 'Rafael Brandt').click();
  await person(page).getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Their sessions end and their API keys stop working at once.').waitFor();
  // The keyboard stands on what changes nothing.
  const keep = page.getByRole('button', { name: 'Leave it as it is' });
  await expect.poll(() => keep.and(page.locator(':focus')).count()).toBe(1);
  await expectAccessible(page);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await person(page).getByText('Nothing while disabled.').waitFor();
  const enable = person(page).getByRole('button', { name: 'Enable…' });
  await expect.poll(() => enable.and(page.locator(':focus')).count()).toBe(1);
  expect((await theirs.page.context().request.get('/auth/me')).status()).toBe(401);
  await row(page, 'Rafael Brandt').getByText('Disabled').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('They can sign in again').waitFor();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await person(page).getByRole('button', { name: 'Disable' }).waitFor();
  await person(page).getByRole('button', { name: 'New temporary password…' }).click();
  await page.getByRole('button', { name: 'Create a temporary password' }).click();
  await dialog(page, 'Temporary password for Rafael Brandt').waitFor();
  const { user } = await administrator.rooms.people.getUser({ params: { id } });
  expect(user).toMatchObject({ enabled: true, password_change_required: true });
});

test('an integration has no password, and oneself is led to the own sign-in', async (context) => {
  const { page } = await webConsole.open(context, { path: '/access/integrations' });
  await page.getByRole('button', { name: 'New integration' }).click();
  await page.keyboard.type('Scan station');
  await expect.poll(() => page.getByLabel('Sign-in name').count()).toBe(0);
  await page.keyboard.press('Enter');
  const scanner = page.getByRole('complementary', { name: 'Integration' });
  await scanner.getByRole('heading', { name: 'Scan station', exact: true }).waitFor();
  await scanner.getByRole('link', { name: 'API keys of Scan station' }).waitFor();
  await expect.poll(() => scanner.getByRole('button', { name: 'New temporary password…' }).count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'People' }).click();
  await row(page, 'Mara Okafor (you)').click();
  await person(page).getByText('This is you.').waitFor();
  await expect.poll(() => person(page).getByRole('button', { name: 'Disable' }).count()).toBe(0);
  await person(page).getByRole('link', { name: 'Open My sign-in' }).click();
  await page.getByRole('heading', { level: 1, name: 'My sign-in' }).waitFor();
});

test('only what a person may see is offered', async (context) => {
  const key = await webConsole.keyWith('users:read', 'sessions:read');
  const { page } = await webConsole.open(context, { path: '/access', as: { key } });
  const parts = page.getByRole('navigation', { name: 'Access pages' }).getByRole('link');
  await expect.poll(() => parts.allTextContents()).toEqual(['People', 'Integrations', 'Sessions']);
  await row(page, 'Mara Okafor').click();
  await person(page).getByRole('heading', { name: 'Mara Okafor', exact: true }).waitFor();
  await expect.poll(() => person(page).getByRole('button').count()).toBe(1);
  await expect.poll(() => page.getByRole('button', { name: 'New person' }).count()).toBe(0);
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('sessio');
  await page.getByRole('menuitem', { name: 'Sessions' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Sessions, newest first' }).waitFor();
});

test('a new person is made from any screen, by the search, and offered to nobody else', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  const offer = page.getByRole('menuitem', { name: 'New person', exact: true });
  await page.keyboard.press('Control+K');
  await page.keyboard.type('new person');
  await offer.press('Enter');
  const form = dialog(page, 'New person');
  await form.waitFor();
  await expect.poll(() => form.locator(':focus').count()).toBe(1);
  await page.keyboard.type('Ida Holm');
  await expect.poll(() => page.getByLabel('Sign-in name').inputValue()).toBe('ida');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).pathname).toBe('/admin/ui/access/people');
  // The list has the action itself.
  await page.keyboard.press('Control+K');
  await page.keyboard.type('new person');
  await offer.waitFor();
  expect(await offer.count()).toBe(1);
  const key = await webConsole.keyWith('fax:read', 'users:read');
  const { page: other } = await webConsole.open(context, { path: '/sent', as: { key } });
  await other.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  await other.keyboard.press('Control+K');
  await other.keyboard.type('new person');
  await other.getByText('No matches for “new person”.').waitFor();
});
