import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { letter, SendPage } from './send-page.ts';

const webConsole = testConsole({});

const helpPage = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const results = (page: Page) => page.getByRole('navigation', { name: 'Results' });
const focused = (page: Page) => page.evaluate<string>("document.activeElement?.textContent ?? ''");
const at = (page: Page) => new URL(page.url()).pathname.replace('/admin/ui', '');

async function waitForFocusedSearch(page: Page): Promise<void> {
  await expect.poll(() => page.getByRole('searchbox').and(page.locator(':focus')).count()).toBe(1);
}

test('F1 opens the help of the screen, also while a fax is written, and Escape leads back to it', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.add(letter());
  await send.number('202 555 0183');
  await page.keyboard.press('F1');
  await helpPage(page, 'Send a fax').waitFor();
  expect(at(page)).toBe('/help/sending');
  await waitForFocusedSearch(page);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await send.opened();
  await expect.poll(() => send.to.inputValue()).toContain('202');
  await page.getByText('One file').waitFor();
});

test.for([
  ['/inbox', 'Inbox', 'Read received faxes'],
  ['/sent/broadcasts', 'Broadcasts', 'Broadcasts: one document to many recipients'],
  ['/system/backups', 'Backups', 'Backups'],
  ['/my-settings', 'My settings', 'Your settings and sign-in'],
] as const)('the help of %s is its own', async ([path, heading, title], context) => {
  const { page } = await webConsole.open(context, { path });
  await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
  await page.keyboard.press('F1');
  await page.locator('#help-article h2').waitFor();
  expect(await page.locator('#help-article h2').textContent()).toBe(title);
});

test('the help is searched by keyboard alone and without the gateway, and says how much it found', async (context) => {
  const { page } = await webConsole.open(context, { path: '/help' });
  await helpPage(page, 'Getting around').waitFor();
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (/\/admin\/ui\/|help/u.test(request.url())) loaded.push(request.url());
  });
  await page.keyboard.press('/');
  await page.keyboard.type('forgot password');
  await results(page)
    .getByRole('link', { name: /^Forgot the password\?/u })
    .waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: /results?$/u })
    .first()
    .waitFor({ state: 'attached' });
  await expectAccessible(page);
  await results(page).getByRole('link').first().focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Forgot the password?');
  expect(at(page)).toBe('/help/your-settings');
  await page.getByRole('link', { name: 'drafts, templates, phrases and signatures' }).focus();
  await page.keyboard.press('Enter');
  await helpPage(page, 'Drafts, templates, phrases, signatures and your own settings').waitFor();
  await expect.poll(() => focused(page)).toContain('Drafts, templates');
  await page.keyboard.press('/');
  await page.keyboard.type('zzqqxxyy');
  await page.getByText('No help for “zzqqxxyy”').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Help pages' }).waitFor();
  expect(loaded).toEqual([]);
});

test('it is in the menu of the person and in the search over everything', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  await page.getByRole('button', { name: /: account$/u }).click();
  await page.getByRole('menuitem', { name: 'Help' }).click();
  await helpPage(page, 'What became of a fax').waitFor();
  await waitForFocusedSearch(page);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('help');
  await page.getByRole('menuitem', { name: /^Help/u }).first().click();
  await helpPage(page, 'What became of a fax').waitFor();
});

test('a page is printed alone, and its pictures are shown', async (context) => {
  const { page } = await webConsole.open(context, {
    path: '/help/sending',
    script:
      'window.print = () => { window.sheets = document.querySelectorAll("body > div > article").length; };',
  });
  await helpPage(page, 'Send a fax').waitFor();
  await page.getByRole('img', { name: /^The Send screen/u }).waitFor();
  await expect
    .poll(() => page.evaluate<number>("document.querySelector('#help-article img').naturalWidth"))
    .toBeGreaterThan(400);
  await page.keyboard.press('Control+P');
  await expect.poll(() => page.evaluate('window.sheets')).toBe(1);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
  expect(await page.getByRole('article').filter({ visible: true }).count()).toBe(1);
  await page.emulateMedia({ media: null });
  await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
  expect(await page.getByRole('article').count()).toBe(1);
});

test('an address without a page says so', async (context) => {
  const { page } = await webConsole.open(context, { path: '/help/nowhere' });
  await page.getByText('This help page does not exist').waitFor();
  await expectAccessible(page);
});

const helpDialog = (page: Page) => page.getByRole('dialog', { name: 'Help', exact: true });

test('F1 in a dialog shows the help over it, and what was typed is still there', async (context) => {
  const { page } = await webConsole.open(context, { path: '/access/people' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('button', { name: 'New person' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'New person' });
  await form.waitFor();
  await page.keyboard.type('Ida Holm');
  const name = form.getByRole('textbox').first();
  await page.keyboard.press('F1');
  const title = helpDialog(page).getByRole('heading', { level: 2 }).nth(1);
  await title.waitFor();
  await expect.poll(() => title.evaluate((it) => it.matches(':focus'))).toBe(true);
  await expectAccessible(page);
  await helpDialog(page).getByRole('button', { name: 'Close help' }).press('Enter');
  await helpDialog(page).waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Ida Holm');
  await expect.poll(() => name.evaluate((it) => it.matches(':focus'))).toBe(true);
  await page.keyboard.press('F1');
  await title.waitFor();
  await page.keyboard.press('Escape');
  await helpDialog(page).waitFor({ state: 'detached' });
  await page.keyboard.type('s');
  expect(await name.inputValue()).toBe('Ida Holms');
  expect(at(page)).toBe('/access/people');
});

test('F1 in a dialog with a help page of its own opens that', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Shortcuts on this screen' }).waitFor();
  await page.keyboard.press('F1');
  await helpDialog(page).getByRole('heading', { name: 'Getting around' }).waitFor();
});

test('F1 in the search over everything shows the help in front of it', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+K');
  const search = page.getByRole('dialog', { name: 'Search or run an action' });
  await search.waitFor();
  await page.keyboard.press('F1');
  // A press goes to what is in front.
  await helpDialog(page).getByRole('button', { name: 'Close help' }).click();
  await helpDialog(page).waitFor({ state: 'detached' });
  await search.waitFor();
});

test('the help is there before a person signs in, and leaves what was typed', async (context) => {
  const { page } = await webConsole.open(context, { as: null });
  await page.getByLabel('Sign-in name').fill('mara');
  await page.keyboard.press('F1');
  const help = helpDialog(page);
  await help.getByRole('heading', { name: 'Your settings and sign-in' }).waitFor();
  await expectAccessible(page);
  // Its links open other pages in it.
  await help.getByRole('button', { name: 'drafts, templates, phrases and signatures' }).press('Enter');
  const other = help.getByRole('heading', {
    name: 'Drafts, templates, phrases, signatures and your own settings',
  });
  await other.waitFor();
  await expect.poll(() => other.evaluate((it) => it.matches(':focus'))).toBe(true);
  await help.getByRole('button', { name: 'Back' }).press('Enter');
  await help.getByRole('heading', { name: 'Your settings and sign-in' }).waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Sign-in name').inputValue()).toBe('mara');
  await page.getByRole('button', { name: 'Help', exact: true }).press('Enter');
  await help.getByRole('heading', { name: 'Your settings and sign-in' }).waitFor();
});

test('the first setup has the help of the first hour', async (context) => {
  const { page } = await webConsole.open(context, { path: '/setup/number' });
  const first = page.getByLabel('Organization');
  await expect.poll(() => first.evaluate((it) => it.matches(':focus'))).toBe(true);
  await page.getByRole('button', { name: 'Help', exact: true }).press('Enter');
  const help = helpDialog(page);
  await help.getByRole('heading', { level: 2 }).nth(1).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('F1');
  await help.waitFor();
});
