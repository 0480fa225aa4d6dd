import { expect, test } from 'vitest';
import { addMailbox } from '../api/inbound-mailboxes.ts';
import { InboundGateway, OWN_NUMBER } from '../api/inbound-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { expectAccessible, testConsole } from './console.ts';
import {
  arrive,
  details,
  list,
  nextSender,
  openDetails,
  RECEIVING,
  rowOf,
  shownPage,
  viewer,
} from './inbox-page.ts';
import { itemOf, openItem, openSender } from './work-page.ts';

const webConsole = testConsole({ settings: RECEIVING });
const REFILLS = '+12025550107';

test('an empty inbox says so, and a test fax comes into it', async (context) => {
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await page.getByRole('heading', { name: 'No faxes received yet' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create a test fax' }).click();
  await expect.poll(() => list(page).getByRole('row').textContent()).toContain('Test fax');
});

test('a waiting fax says why and when it is tried again, and can be fetched now', async (context) => {
  const inbound = new InboundGateway(webConsole.gateway);
  const sender = nextSender();
  const fax = inbound.arrive({ from: sender.e164 });
  webConsole.gateway.emulator.setFault({ kind: 'server-error', method: 'GET', count: 1 });
  await inbound.notifyBare(fax);
  await inbound.work();
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await expect.poll(() => rowOf(page, sender.shown).textContent()).toContain('Fetching');
  await page.getByRole('button', { name: /waiting/u }).click();
  await rowOf(page, sender.shown).click();
  await viewer(page).getByRole('heading', { name: 'The pages of this fax are not here yet' }).waitFor();
  await viewer(page).getByText('Tried once').waitFor();
  await openDetails(page);
  await details(page)
    .getByText(/Fetching, next try/u)
    .waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Fetch again' }).click();
  await details(page)
    .getByText(/asked to fetch the document again/u)
    .waitFor();
  await inbound.work();
  await shownPage(page);
  await details(page).getByText('1 page received').waitFor();
});

test('a fax that the provider could not receive is shown with its sentence', async (context) => {
  const inbound = new InboundGateway(webConsole.gateway);
  const sender = nextSender();
  await inbound.notify(inbound.arrive({ from: sender.e164 }), { fax: { status: 'failure' }, file: null });
  const { page } = await webConsole.open(context, { path: '/inbox', viewport: { width: 1024, height: 700 } });
  await page.getByRole('button', { name: /not received/u }).click();
  await rowOf(page, sender.shown).click();
  await viewer(page).getByText('could not receive this fax completely').waitFor();
  await expect.poll(() => details(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Details' }).click();
  await details(page).getByText('Phaxio’s notice is saved').waitFor();
  await expectAccessible(page);
});

test('filters and search stand in the address; what nothing fits says so', async (context) => {
  const inbound = new InboundGateway(webConsole.gateway);
  addMailbox(inbound, { id: 'refills', label: 'Refills', number: REFILLS });
  const [here, elsewhere] = [nextSender(), nextSender()];
  await arrive(webConsole, { from: here.e164, to: REFILLS });
  await arrive(webConsole, { from: elsewhere.e164, to: OWN_NUMBER });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await rowOf(page, elsewhere.shown).waitFor();
  await page.getByRole('button', { name: 'Mailbox' }).click();
  await page.getByRole('menuitem', { name: 'Refills' }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await rowOf(page, elsewhere.shown).waitFor({ state: 'detached' });
  await expect.poll(() => rowOf(page, here.shown).textContent()).toContain('Refills');
  await page.keyboard.press('/');
  await expect.poll(() => page.getByRole('searchbox').and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.type(here.e164.slice(-4));
  await expect.poll(() => new URL(page.url()).search).toBe(`?q=${here.e164.slice(-4)}&mailbox=Refills`);
  await page.reload();
  await rowOf(page, here.shown).waitFor();
  await page.getByRole('searchbox').fill('999999');
  await page.getByRole('heading', { name: 'No matches' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show all faxes' }).click();
  await rowOf(page, elsewhere.shown).waitFor();
});

test('who may list faxes without opening documents sees no page', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const key = await webConsole.keyWith('inbound:list', 'inbound:read');
  const { page } = await webConsole.open(context, { path: '/inbox', as: { key }, colorScheme: 'dark' });
  await rowOf(page, sender.shown).click();
  await viewer(page).getByRole('heading', { name: 'You do not have permission to open documents' }).waitFor();
  await expect.poll(() => rowOf(page, sender.shown).textContent()).toContain('Unread');
  await expectAccessible(page);
});

test('the palette finds a received fax by its number and opens it', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const { page } = await webConsole.open(context, { path: '/send' });
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(sender.e164.slice(2));
  await page.getByRole('menuitem', { name: `From ${sender.shown}, Received` }).click();
  await viewer(page).getByRole('heading', { name: sender.shown }).waitFor();
});

test('a part of a large window and a magnified one show the list or the fax', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164, pages: 2 });
  const { page } = await webConsole.open(context, { path: '/inbox', viewport: { width: 720, height: 450 } });
  await rowOf(page, sender.shown).click();
  await shownPage(page);
  await expect.poll(() => list(page).isVisible()).toBe(false);
  await expect
    .poll(() => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'))
    .toBe(true);
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await list(page).waitFor();
});

test('what is open on one screen is not looked for on another', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164, to: OWN_NUMBER });
  const sent = await webConsole.gateway.send({ to: '+12025550123' });
  const { page } = await webConsole.open(context, { path: `/sent/${sent.id}` });
  const path = () => new URL(page.url()).pathname.replace('/admin/ui', '');
  await page.getByRole('complementary', { name: 'Fax' }).getByRole('heading', { level: 2 }).waitFor();
  await page.getByRole('link', { name: /^Inbox/u }).click();
  await page.getByText('No fax selected').waitFor();
  expect(path()).toBe('/inbox');
  await rowOf(page, sender.shown).click();
  await shownPage(page);
  await page.goto('/admin/ui/settings/storage');
  await page.getByRole('navigation', { name: 'Settings' }).waitFor();
  for (const [keys, screen] of [
    ['Alt+9', '/system'],
    ['Alt+7', '/access'],
    ['Alt+2', '/inbox'],
    ['Alt+4', '/sent'],
  ] as const) {
    await page.keyboard.press(keys);
    await expect.poll(path).toBe(screen);
  }
});

test('rule (crossings): missing pages found after filing reach the work item, its history and open windows', async (context) => {
  const { gateway } = webConsole;
  const inbound = new InboundGateway(gateway);
  const sender = nextSender();
  const fax = inbound.arrive({ from: sender.e164, document: textPdf(3) });
  await inbound.notify(fax);
  await inbound.work();
  const { page } = await webConsole.open(context, { path: '/work?view=all' });
  const inInbox = await webConsole.open(context, { path: `/inbox?q=${sender.e164.slice(2)}` });
  await rowOf(inInbox.page, sender.shown).click();
  await shownPage(inInbox.page);
  await itemOf(page, sender.shown).click();
  await expect.poll(() => openSender(page).textContent()).toBe(sender.shown);
  expect(await openItem(page).getByRole('button', { name: 'Ask the sender again' }).count()).toBe(0);
  await inbound.notify(fax, { fax: { status: 'failure' } });
  const problem = 'Pages may be missing: the call ended after 3 pages.';
  const mark = itemOf(page, sender.shown).getByText('Pages may be missing').filter({ visible: true });
  await mark.waitFor();
  const cut = `[...document.querySelectorAll('[role=grid] [role=gridcell]')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`;
  await expect.poll(() => page.evaluate(cut)).toEqual([]);
  await openItem(page).getByText(problem, { exact: true }).first().waitFor();
  await rowOf(inInbox.page, sender.shown).getByText('Pages may be missing').waitFor();
  await openDetails(inInbox.page);
  await details(inInbox.page).getByText(problem, { exact: true }).first().waitFor();
  await expectAccessible(page);
  await openItem(page).getByRole('button', { name: 'Details' }).click();
  await openItem(page).getByText(problem, { exact: true }).nth(1).waitFor();
  await openItem(page).getByRole('button', { name: 'Ask the sender again' }).click();
  await expect.poll(() => page.getByRole('combobox', { name: 'To' }).inputValue()).toBe(sender.shown);
  await page.getByText('Please send your fax again', { exact: false }).first().waitFor();
});
