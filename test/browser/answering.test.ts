import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { arrive, details, nextSender, openDetails, RECEIVING, rowOf, shownPage } from './inbox-page.ts';
import { letter, SendPage } from './send-page.ts';

const webConsole = testConsole({ settings: RECEIVING });

test('rule (screens): a received fax is answered by keyboard alone, and the screens pass axe in light and dark', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164, pages: 2 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await rowOf(page, sender.shown).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await shownPage(page);
  await expectAccessible(page);
  await page.keyboard.press('f');
  const form = await new SendPage(page).opened();
  await page.getByText(`Answers the fax from ${sender.shown}`).waitFor();
  await expect.poll(() => form.to.inputValue()).toBe(sender.shown);
  await form.row('Fax received').waitFor();
  await form.drawn();
  await expectAccessible(page);
  // The number got no fax before: its last digits are typed again.
  const digits = page.getByRole('textbox', { name: /last four digits/iu });
  await digits.focus();
  await page.keyboard.type(sender.e164.slice(-4));
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/send\/[\w-]+$/u);
  await page.goto(new URL('/admin/ui/inbox', page.url()).href);
  await rowOf(page, sender.shown).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await openDetails(page);
  const answered = details(page).getByRole('link', { name: /, /u }).first();
  await details(page).getByRole('heading', { name: 'Answered by fax' }).waitFor();
  await expectAccessible(page);
  await answered.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sent\/[\w-]+$/u);
  await page.getByRole('link', { name: `fax from ${sender.shown}` }).waitFor();
});

test('the received pages can be left out, and a forwarded fax has them without a number', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const { page, complaints } = await webConsole.open(context, { path: '/inbox' });
  // Without its documents a preview is dropped, perhaps while one of its pictures is loaded.
  complaints.allow('404 GET /fax/preview/');
  await rowOf(page, sender.shown).click();
  await shownPage(page);
  await page.getByRole('button', { name: 'Fax back' }).click();
  const form = await new SendPage(page).opened();
  await form.row('Fax received').waitFor();
  const withPages = page.getByRole('checkbox', { name: 'Send the received pages with it' });
  await form.drawn();
  await withPages.press('Space');
  await expect.poll(() => form.rows.count()).toBe(0);
  await form.add(letter());
  await form.drawn();
  await withPages.press('Space');
  await expect.poll(() => form.rows.count()).toBe(2);
  await form.drawn();
  await form.number('+1 360 555 0199');
  await page.getByText('This is not the number that the fax came from.').waitFor();
  await page.getByRole('button', { name: 'This is not an answer' }).click();
  await page.getByText(`Answers the fax from ${sender.shown}`).waitFor({ state: 'detached' });
  await page.goto(new URL('/admin/ui/inbox', page.url()).href);
  await rowOf(page, sender.shown).click();
  await page.getByRole('button', { name: 'Forward as fax' }).click();
  await form.opened();
  await form.row('Fax received').waitFor();
  expect(await form.to.inputValue()).toBe('');
  expect(await page.getByText('Answers the fax').count()).toBe(0);
});

test('a document in Work is answered with the same key', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const { page } = await webConsole.open(context, { path: '/work?view=all' });
  await page.getByRole('grid').getByRole('row').filter({ hasText: sender.shown }).click();
  await page.getByRole('button', { name: 'Fax back' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('f');
  const form = await new SendPage(page).opened();
  await page.getByText(`Answers the fax from ${sender.shown}`).waitFor();
  await expect.poll(() => form.to.inputValue()).toBe(sender.shown);
});

test('a template is added to an answer by keyboard alone, once', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const { page } = await webConsole.open(context, { path: '/send' });
  const form = await new SendPage(page).opened();
  await form.add(letter('usual.txt'));
  await form.drawn();
  await page.getByRole('button', { name: /^About/u }).press('Enter');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Opening hours');
  await form.kept();
  // Drafts of earlier tests are counted on the button.
  await page.getByRole('button', { name: /^(?:Save for later|Drafts \()/u }).press('Enter');
  await page.getByLabel('Name of the draft').fill('Usual reply');
  await page.getByRole('button', { name: 'Save as a template' }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Clear' }).press('Enter');

  await page.goto(new URL('/admin/ui/inbox', page.url()).href);
  await rowOf(page, sender.shown).click();
  await shownPage(page);
  await page.keyboard.press('f');
  await form.row('Fax received').waitFor();
  for (const rows of [2, 2]) {
    await page.getByRole('button', { name: 'Use a template' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Usual reply' }).press('Enter');
    await page.getByRole('menuitem').waitFor({ state: 'detached' });
    await expect.poll(() => form.rows.count()).toBe(rows);
  }
  await form.drawn();
  expect((await form.titles())[0]).toBe('usual');
  expect(await form.to.inputValue()).toBe(sender.shown);
  await page.getByRole('button', { name: /^About.*Opening hours/u }).waitFor();
  await expectAccessible(page);
  await page.getByText(`Answers the fax from ${sender.shown}`).waitFor();
});
