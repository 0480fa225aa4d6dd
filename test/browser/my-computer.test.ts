import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { expectAccessible, testConsole } from './console.ts';
import { arrive, list, nextSender, RECEIVING, rowOf, shownPage, viewer } from './inbox-page.ts';
import { SendPage } from './send-page.ts';

const CLINIC = '+12025550190';
const webConsole = testConsole({ settings: RECEIVING }, async ({ gateway }) => {
  const people = new MailboxPeople(gateway);
  await people.addMailbox('clinic', 'Clinic');
  await people.addMailbox('archive', 'Archive');
  await people.addRule(CLINIC, 'clinic');
});

/** Window of a computer with two printers, which keeps its preferences while pages are loaded; a page prints nothing itself. */
const WINDOW = `
  const kept = () => JSON.parse(localStorage.getItem('test-preferences') ?? '{}');
  const preferences = async () => ({
    startAtLogin: false, closeToTraySaid: true, noticesNameSender: false, gateway: { kind: 'own' },
    mailbox: null, printer: null, quietUntil: null, ...kept(),
  });
  const nothing = () => () => undefined;
  window.printed = [];
  window.print = () => { window.printed.push('page'); window.dispatchEvent(new Event('afterprint')); };
  window.faxdesk = {
    platform: 'linux', version: '0.1.0',
    onFiles: nothing, onCommand: nothing, onGateway: nothing,
    takeFiles: async () => [], showNotice: async () => undefined, setTray: async () => undefined,
    isInFront: async () => true, preferences,
    setPreferences: async (changes) => {
      localStorage.setItem('test-preferences', JSON.stringify({ ...kept(), ...changes }));
      return preferences();
    },
    printers: async () => [{ name: 'desk', label: 'Front desk' }, { name: 'lab', label: 'Laboratory' }],
    print: async (paper) => {
      const { printer } = kept();
      if (!printer) return false;
      const sheets = document.querySelectorAll('body > [class*="sheets"] img').length;
      window.printed.push({ printer, sheets, ...paper });
      return true;
    },
  };`;

const part = (page: Page) => page.getByRole('region', { name: 'On this computer' });
const printed = (page: Page) => page.evaluate('window.printed');
const sheetsLeft = (page: Page) => page.locator('body > [class*="sheets"]').count();

async function choose(page: Page, label: string, option: string): Promise<void> {
  await part(page)
    .getByRole('button', { name: new RegExp(label, 'u') })
    .press('Enter');
  await page.getByRole('option', { name: option }).press('Enter');
  await part(page)
    .getByRole('button', { name: new RegExp(`${option}.*${label}|${label}.*${option}`, 'u') })
    .waitFor();
}

test('a browser has no mailbox and printer of its own', async (context) => {
  const { page } = await webConsole.open(context, { path: '/my-settings' });
  await page.getByRole('heading', { name: 'Phrases' }).waitFor();
  expect(await part(page).count()).toBe(0);
});

test('the mailbox of a computer is that of its new faxes, and the Inbox begins with it', async (context) => {
  const elsewhere = nextSender();
  const here = nextSender();
  await arrive(webConsole, { from: elsewhere.e164 });
  await arrive(webConsole, { from: here.e164, to: CLINIC });
  const { page } = await webConsole.open(context, { path: '/my-settings', script: WINDOW });
  await choose(page, 'Mailbox of this computer', 'Clinic');
  await expectAccessible(page);
  await page.getByRole('link', { name: /^Inbox/u }).click();
  await rowOf(page, here.shown).waitFor();
  expect(new URL(page.url()).search).toBe('?mailbox=Clinic');
  expect(await rowOf(page, elsewhere.shown).count()).toBe(0);
  // Whoever wants to see everything does so, and finds it so when they come back.
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rowOf(page, elsewhere.shown).waitFor();
  await page.keyboard.press('Alt+1');
  const send = await new SendPage(page).opened();
  await page.getByRole('button', { name: /Clinic Sent for/u }).waitFor();
  await send.to.press('Alt+2');
  await rowOf(page, elsewhere.shown).waitFor();
  await page.goto('/admin/ui/my-settings');
  await choose(page, 'Mailbox of this computer', 'None: your own choice above');
  await page.keyboard.press('Alt+2');
  await list(page).waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('a received fax is printed on the printer of the computer, and by the page itself where none is chosen', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164, pages: 2 });
  const { page } = await webConsole.open(context, { path: '/my-settings', script: WINDOW });
  const print = async () => {
    await page.getByRole('link', { name: /^Inbox/u }).click();
    await rowOf(page, sender.shown).click();
    await viewer(page).getByRole('heading', { name: sender.shown }).waitFor();
    await shownPage(page);
    await page.keyboard.press('p');
  };
  await print();
  await expect.poll(() => printed(page)).toEqual(['page']);
  await page.goto('/admin/ui/my-settings');
  await choose(page, 'Printer for received faxes', 'Laboratory');
  await print();
  await expect
    .poll(() => printed(page))
    .toEqual([{ printer: 'lab', sheets: 2, width: expect.any(Number), height: expect.any(Number) }]);
  await expect.poll(() => sheetsLeft(page)).toBe(0);
});

test('Do not disturb is turned on and off, and shows its end', async (context) => {
  const { page } = await webConsole.open(context, { path: '/my-settings', script: WINDOW });
  const field = part(page).getByRole('button', { name: /Do not disturb/u });
  const pick = async (option: string | RegExp) => {
    await field.press('Enter');
    await page.getByRole('option', { name: option }).press('Enter');
  };
  await pick('For 1 hour');
  await expect.poll(() => field.textContent()).toMatch(/^Until \d/u);
  const kept = (await page.evaluate('faxdesk.preferences()')) as { quietUntil: string };
  const left = Date.parse(kept.quietUntil) - Date.now();
  expect([left > 3_500_000, left <= 3_600_000]).toEqual([true, true]);
  await expectAccessible(page);
  await pick(/^Until tomorrow at 7:00/u);
  await expect.poll(() => field.textContent()).toMatch(/^Until 7:00/u);
  await pick('Off');
  await expect.poll(() => field.textContent()).toBe('Off');
});
