import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { InboundGateway } from '../api/inbound-setup.ts';
import { expectAccessible, testConsole } from './console.ts';
import { arrive, list, nextSender, RECEIVING, rowOf, shownPage, unreadIn, viewer } from './inbox-page.ts';
import { itemFrom, itemOf, openSender, stateRegion } from './work-page.ts';

const webConsole = testConsole({ settings: RECEIVING });

/** Not the menu, which closes while the dialog opens. */
const dialog = (page: Page) => page.getByRole('dialog').filter({ has: page.getByRole('heading') });
const chip = (page: Page) => page.getByRole('button', { name: /junk$/u });
const inbound = () => new InboundGateway(webConsole.gateway);
const faxFrom = async (e164: string) => (await inbound().list(`?from_number=${encodeURIComponent(e164)}`))[0];

/** Returns true when the keyboard stands in the list. */
const isInList = (page: Page) =>
  page.evaluate('document.activeElement.closest("[role=grid]") !== null') as Promise<boolean>;

async function choose(page: Page, entry: string): Promise<void> {
  await viewer(page).getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem', { name: entry }).press('Enter');
  await dialog(page).waitFor();
}

test('rule (screens): a sender is blocked by keyboard alone, the fax leaves the Inbox, and it can be undone', async (context) => {
  const [sender, other] = [nextSender(), nextSender()];
  await arrive(webConsole, { from: other.e164 });
  await arrive(webConsole, { from: sender.e164, pages: 3 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await rowOf(page, sender.shown).click();
  await shownPage(page);
  await choose(page, 'Block this sender…');
  await dialog(page).getByText(`The fax from ${sender.shown}, 3 pages`).waitFor();
  await expectAccessible(page);
  // Escape leaves everything as it is, and the keyboard where it was.
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await expect
    .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
    .toBe('More actions');
  await choose(page, 'Block this sender…');
  await page.getByRole('button', { name: 'Block sender' }).press('Enter');
  await rowOf(page, sender.shown).waitFor({ state: 'detached' });
  await page.getByText(`You blocked ${sender.shown}. The fax is in Junk.`, { exact: true }).first().waitFor();
  await expect.poll(() => isInList(page)).toBe(true);
  await expect.poll(() => chip(page).textContent()).toMatch(/^1\s*junk$/u);
  expect((await itemFrom(webConsole, sender.shown)).state_key).toBe('done');
  await page.keyboard.press('u');
  await rowOf(page, sender.shown).waitFor();
  await expect.poll(async () => (await itemFrom(webConsole, sender.shown)).state_key).toBe('waiting');
  expect((await faxFrom(sender.e164))?.junk).toBe(false);
  await expect.poll(() => chip(page).textContent()).toMatch(/^0\s*junk$/u);
});

test('rule (screens): a fax from a blocked sender is in Junk and announced to nobody, and comes back as a new arrival', async (context) => {
  const sender = nextSender();
  const json = { number: sender.e164 };
  await webConsole.gateway.request('POST', '/inbound/blocked-senders', { json });
  await arrive(webConsole, { from: nextSender().e164 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await list(page).waitFor();
  const before = await unreadIn(page);
  await arrive(webConsole, { from: sender.e164, pages: 2 });
  await expect.poll(() => chip(page).textContent()).toMatch(/^1\s*junk$/u);
  const arrived = page.getByText(`A fax from ${sender.shown} arrived`);
  expect([await unreadIn(page), await rowOf(page, sender.shown).count(), await arrived.count()]).toEqual([
    before,
    0,
    0,
  ]);
  await chip(page).click();
  await expect.poll(() => rowOf(page, sender.shown).textContent()).toMatch(/2 pages.*Junk/u);
  await rowOf(page, sender.shown).click();
  await shownPage(page);
  await viewer(page).getByText('This fax is in Junk. It does not wait in Work.').waitFor();
  await expectAccessible(page);
  await viewer(page).getByRole('button', { name: 'Not junk…' }).press('Enter');
  await dialog(page).getByText(`The fax from ${sender.shown}, 2 pages`).waitFor();
  await dialog(page).getByRole('checkbox', { name: 'Also unblock this sender' }).press('Space');
  await dialog(page).getByText('The sender stays blocked').waitFor();
  await dialog(page).getByRole('button', { name: 'Not junk' }).press('Enter');
  await page.getByRole('heading', { name: 'Junk is empty' }).waitFor();
  await chip(page).click();
  await rowOf(page, sender.shown).waitFor();
  expect((await itemFrom(webConsole, sender.shown)).state_key).toBe('waiting');
  await webConsole.gateway.request('DELETE', `/inbound/blocked-senders/${encodeURIComponent(sender.e164)}`);
});

test('rule (screens): the list of blocked senders is beside Junk, and unblocks one with its faxes', async (context) => {
  const sender = nextSender();
  const json = { number: sender.e164 };
  await webConsole.gateway.request('POST', '/inbound/blocked-senders', { json });
  await arrive(webConsole, { from: sender.e164 });
  const { page } = await webConsole.open(context, { path: '/inbox?state=junk' });
  await rowOf(page, sender.shown).waitFor();
  await page.getByRole('button', { name: 'Blocked senders' }).press('Enter');
  const row = dialog(page).getByRole('listitem').filter({ hasText: sender.shown });
  await expect.poll(() => row.textContent()).toMatch(/Blocked by Installation key.*1 fax in Junk/u);
  await expectAccessible(page);
  await row.getByRole('button', { name: `Unblock ${sender.shown}` }).press('Enter');
  const question = page.getByRole('dialog', { name: `Unblock ${sender.shown}?` });
  await question.getByRole('checkbox', { name: 'Also take its fax out of Junk' }).press('Space');
  await question.getByRole('button', { name: 'Unblock sender' }).press('Enter');
  await question.waitFor({ state: 'detached' });
  await row.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await rowOf(page, sender.shown).waitFor({ state: 'detached' });
  expect(await faxFrom(sender.e164)).toMatchObject({ junk: false, work_item_id: expect.any(String) });
});

test('the same from the item in Work; a withheld number says why not, and a contact is named first', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const contact = { name: 'Birch Pharmacy', fax_number: sender.e164 };
  await webConsole.gateway.request('POST', '/contacts', { json: contact });
  const { page } = await webConsole.open(context, { path: '/work' });
  await itemOf(page, 'Birch Pharmacy').click();
  await expect.poll(() => openSender(page).textContent()).toBe('Birch Pharmacy');
  await choose(page, 'Block this sender…');
  await dialog(page).getByText('This number belongs to your contact Birch Pharmacy.').waitFor();
  await dialog(page).getByRole('button', { name: 'Block anyway' }).press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await expect.poll(async () => (await itemFrom(webConsole, sender.shown)).state_key).toBe('done');
  await expect.poll(() => isInList(page)).toBe(true);
  await arrive(webConsole, { from: 'Anonymous' });
  await page.goto(new URL('/admin/ui/inbox', page.url()).href);
  await rowOf(page, 'Unknown number').first().click();
  await shownPage(page);
  await choose(page, 'Block this sender…');
  await dialog(page).getByText('This fax arrived without the sender’s number').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
});

test('who may not block senders sees junk, and neither the act nor the list of blocked senders', async (context) => {
  const sender = nextSender();
  const json = { number: sender.e164 };
  await webConsole.gateway.request('POST', '/inbound/blocked-senders', { json });
  await arrive(webConsole, { from: sender.e164 });
  const key = await webConsole.keyWith('inbound:list', 'inbound:read', 'inbound:document', 'work:read');
  const { page } = await webConsole.open(context, { path: '/inbox?state=junk', as: { key } });
  await rowOf(page, sender.shown).click();
  await shownPage(page);
  await viewer(page).getByText('This fax is in Junk.').waitFor();
  for (const name of ['More actions', 'Not junk…', 'Blocked senders'])
    expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
  expect(await stateRegion(page).count()).toBe(0);
});

test('the list of blocked senders follows what another window does', async (context) => {
  const sender = nextSender();
  const address = `/inbound/blocked-senders/${encodeURIComponent(sender.e164)}`;
  const { page } = await webConsole.open(context, { path: '/inbox?state=junk' });
  await page.getByRole('button', { name: 'Blocked senders' }).press('Enter');
  await dialog(page)
    .getByText(/^(No sender is blocked|New faxes from these numbers)/u)
    .waitFor();
  const row = dialog(page).getByRole('listitem').filter({ hasText: sender.shown });
  expect(await row.count()).toBe(0);
  await webConsole.gateway.request('POST', '/inbound/blocked-senders', { json: { number: sender.e164 } });
  await expect.poll(() => row.textContent()).toContain('0 faxes in Junk');
  await arrive(webConsole, { from: sender.e164 });
  await expect.poll(() => row.textContent()).toContain('1 fax in Junk');
  await webConsole.gateway.request('DELETE', address);
  await row.waitFor({ state: 'detached' });
});

test('a sender whose block is not answered is blocked once, says so meanwhile, and can be unblocked', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const { page, complaints } = await webConsole.open(context, {
    path: '/inbox',
    prepare: (opened) => opened.clock.install(),
  });
  complaints.allow('net::ERR_CONNECTION_RESET POST /inbound/blocked-senders');
  const isSaid = Promise.withResolvers<void>();
  let posts = 0;
  await page.route('**/inbound/blocked-senders', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.fallback();
    posts += 1;
    if (posts > 1) return route.fallback();
    // Carried out by a gateway that was started again before it could answer, and has forgotten the id of the act.
    await route.fetch({
      headers: { ...request.headers(), 'x-act-id': 'before-the-gateway-was-started-again' },
    });
    await isSaid.promise;
    await route.abort('connectionreset');
  });
  await rowOf(page, sender.shown).click();
  await shownPage(page);
  await choose(page, 'Block this sender…');
  await page.getByRole('button', { name: 'Block sender' }).press('Enter');
  await expect.poll(() => posts).toBe(1);
  await page.clock.runFor(3_100);
  await page.getByText('Not confirmed yet: Block sender').waitFor();
  isSaid.resolve();
  await expect.poll(async () => (await page.clock.runFor(1_000), posts)).toBe(2);
  await page.getByText('Not confirmed yet').waitFor({ state: 'detached' });
  await page.getByText(`You blocked ${sender.shown}. The fax is in Junk.`, { exact: true }).first().waitFor();
  const { id = '' } = (await faxFrom(sender.e164)) ?? {};
  const evidence = await webConsole.gateway.request('GET', `/inbound/${id}/evidence`);
  expect((await evidence.text()).match(/"kind":"junk"/gu)).toHaveLength(1);
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect.poll(async () => (await faxFrom(sender.e164))?.junk).toBe(false);
  // Its faxes leave Junk before it leaves the list.
  const blocked = async () => (await webConsole.gateway.request('GET', '/inbound/blocked-senders')).text();
  await expect.poll(blocked).not.toContain(sender.e164);
});
