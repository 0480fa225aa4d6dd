import { expect, test } from 'vitest';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { expectAccessible, testConsole } from './console.ts';
import {
  arrive,
  details,
  list,
  nextSender,
  RECEIVING,
  rowOf,
  shownPage,
  unreadIn,
  viewer,
} from './inbox-page.ts';

const webConsole = testConsole({ settings: RECEIVING });

const PRINTED = `window.print = () => {
  window.printed = document.querySelectorAll('body > [class*="sheets"] img').length;
  window.dispatchEvent(new Event('afterprint'));
}`;

test('a fax that comes in is read, turned, printed and marked with the keyboard alone', async (context) => {
  const earlier = nextSender();
  await arrive(webConsole, { from: earlier.e164 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await page.evaluate(PRINTED);
  await rowOf(page, earlier.shown).waitFor();
  const unread = () => unreadIn(page);
  await expect.poll(unread).toBeGreaterThan(0);
  const before = await unread();
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164, pages: 3 });
  const row = rowOf(page, sender.shown);
  await expect.poll(() => row.textContent()).toMatch(/Unread.*3 pages/u);
  await page.getByText(`A fax from ${sender.shown} came in, 3 pages.`).waitFor({ state: 'attached' });
  await expect.poll(unread).toBe(before + 1);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const picture = await shownPage(page);
  await expect.poll(() => row.textContent()).not.toContain('Unread');
  await expect.poll(unread).toBe(before);
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Page 1 of 3');
  await page.keyboard.press('PageDown');
  await viewer(page).getByRole('group', { name: 'Page 2 of 3' }).waitFor();
  await shownPage(page);
  const upright = await viewer(page).getByRole('img').boundingBox();
  await page.keyboard.press('r');
  const turned = await viewer(page).getByRole('img').boundingBox();
  expect(upright && turned && upright.height > upright.width && turned.width > turned.height).toBe(true);
  await expectAccessible(page);
  await page.keyboard.press('p');
  await expect.poll(() => page.evaluate('window.printed')).toBe(3);
  await page.keyboard.press('u');
  await expect.poll(() => row.textContent()).toContain('Unread');
  await expect.poll(unread).toBe(before + 1);
  await details(page).getByText('Not opened by you').waitFor();
  await details(page)
    .getByText(/, by Phaxio$/u)
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'No fax selected' }).waitFor();
  await picture.waitFor({ state: 'detached' });
});

test('j and k read one fax after the other; the next one is drawn already, and nobody has got it', async (context) => {
  const [first, second] = [nextSender(), nextSender()];
  await arrive(webConsole, { from: second.e164 });
  await arrive(webConsole, { from: first.e164 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  const asked: [method: string, url: string][] = [];
  page.on('request', (request) => {
    if (request.url().includes('.png')) asked.push([request.method(), request.url()]);
  });
  await rowOf(page, first.shown).click();
  await shownPage(page);
  await page.waitForLoadState('networkidle');
  const before = asked.splice(0);
  await page.keyboard.press('j');
  await viewer(page).getByRole('heading', { name: second.shown }).waitFor();
  const picture = await shownPage(page);
  const address = (await picture.getAttribute('src')) ?? '?';
  const methods = (list: typeof asked) => list.filter(([, url]) => url.endsWith(address)).map(([how]) => how);
  expect([methods(before), methods(asked)]).toEqual([['HEAD'], ['GET']]);
  await page.keyboard.press('k');
  await viewer(page).getByRole('heading', { name: first.shown }).waitFor();
});

test('a fax that comes in while the list is read again stands in it', async (context) => {
  const [earlier, sender] = [nextSender(), nextSender()];
  await arrive(webConsole, { from: nextSender().e164 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  const unread = () => unreadIn(page);
  await expect.poll(unread).toBeGreaterThan(0);
  const before = await unread();
  await arrive(webConsole, { from: earlier.e164 });
  await expect.poll(unread).toBe(before + 1);
  await rowOf(page, earlier.shown).waitFor();
  await page.keyboard.press('Alt+1');
  await page.getByRole('heading', { level: 1, name: 'New fax' }).waitFor();
  const answered = Promise.withResolvers<void>();
  const isOld = Promise.withResolvers<void>();
  await page.route(/\/inbound\/page\?/u, async (route) => {
    const response = await route.fetch();
    answered.resolve();
    await isOld.promise;
    await route.fulfill({ response });
  });
  await page.keyboard.press('Alt+2');
  await answered.promise;
  await arrive(webConsole, { from: sender.e164 });
  await expect.poll(unread).toBe(before + 2);
  const arrived = page.waitForResponse(/\/inbound\/page\?/u);
  isOld.resolve();
  await arrived;
  await rowOf(page, earlier.shown).waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await rowOf(page, sender.shown).waitFor();
});

test('what is read stays where it is while faxes come in', async (context) => {
  for (let count = 0; count < 14; count += 1) await arrive(webConsole, { from: nextSender().e164 });
  const { page } = await webConsole.open(context, { path: '/inbox', viewport: { width: 1024, height: 500 } });
  await list(page).getByRole('row').nth(8).waitFor();
  await page.keyboard.press('j');
  for (let count = 0; count < 9; count += 1) await page.keyboard.press('ArrowDown');
  const active = () =>
    page.evaluate(`(() => {
      const row = document.querySelector('[role=row][data-active]');
      return row && [row.textContent.slice(0, 20), Math.round(row.getBoundingClientRect().top)].join();
    })()`);
  const before = await active();
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  await page.getByText(`A fax from ${sender.shown} came in, 1 page.`).waitFor({ state: 'attached' });
  expect(await active()).toBe(before);
});

/** What the desktop window offers, as far as receiving uses it; what the page asks of it is noted. */
const BRIDGE = `
  const noted = (window.noted = { notices: [], tray: null });
  const nothing = () => () => {};
  window.faxdesk = {
    platform: 'linux', version: '0.1.0',
    onFiles: nothing, takeFiles: async () => [], onGateway: nothing,
    onCommand: (listener) => { noted.command = listener; return () => {}; },
    isInFront: async () => false, showNotice: async (notice) => { noted.notices.push(notice); },
    setTray: async (tray) => { noted.tray = tray; }, signInFirstOwner: async () => false,
    preferences: async () => ({ startAtLogin: false, closeToTraySaid: true, noticesNameSender: false, gateway: { kind: 'own' } }),
  };`;

test('the desktop window counts new faxes in the tray and tells of one without its sender', async (context) => {
  const { page } = await webConsole.open(context, {
    path: '/sent',
    script: BRIDGE,
  });
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  const tray = () => page.evaluate('noted.tray') as Promise<{ state: string; newFaxes: number }>;
  await expect.poll(async () => (await tray()).state).toBe('new');
  const { newFaxes } = await tray();
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164, pages: 2 });
  const notices = () => page.evaluate('noted.notices');
  await expect.poll(notices).toEqual([expect.objectContaining({ title: 'New fax', body: '2 pages' })]);
  expect(JSON.stringify(await notices())).not.toContain(sender.e164.slice(-4));
  await expect.poll(async () => (await tray()).newFaxes).toBe(newFaxes + 1);
  await page.evaluate('noted.command({ open: noted.notices[0].open })');
  await viewer(page).getByRole('heading', { name: sender.shown }).waitFor();
  await expect.poll(async () => (await tray()).newFaxes).toBe(newFaxes);
});

test('a fax in no mailbox is moved to one from its details', async (context) => {
  const people = new MailboxPeople(webConsole.gateway);
  await people.addMailbox('ward', 'Ward');
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await rowOf(page, sender.shown).click();
  await page.setViewportSize({ width: 1600, height: 1000 });
  await details(page).getByText('This fax is in no mailbox').waitFor();
  await details(page).getByRole('button', { name: 'To mailbox' }).click();
  await page.getByRole('option', { name: 'Ward' }).click();
  await expectAccessible(page);
  await details(page).getByRole('button', { name: 'Move', exact: true }).click();
  await details(page)
    .getByText(/ moved the fax from no mailbox to Ward\.$/u)
    .waitFor();
  await details(page).getByText('This fax is in no mailbox').waitFor({ state: 'detached' });
  await rowOf(page, sender.shown).getByText('Ward').waitFor();
});

test('the number rules are applied to older faxes from the mailboxes', async (context) => {
  const people = new MailboxPeople(webConsole.gateway);
  await people.addMailbox('refills', 'Refills');
  await arrive(webConsole, { from: nextSender().e164, to: '+12025550177' });
  await people.addRule('+12025550177', 'refills');
  const { page } = await webConsole.open(context, { path: '/access/mailboxes' });
  await page.getByRole('button', { name: 'Apply to older faxes' }).click();
  await page.getByText(/^Moved: 1\. Without a mailbox/u).waitFor();
  await expectAccessible(page);
});
