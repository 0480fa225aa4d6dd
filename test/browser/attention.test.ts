import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Fax } from '../setup/gateway.ts';
import { HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { expectAccessible, headersOfPage, testConsole } from './console.ts';
import { BRIDGE } from './desktop-bridge.ts';
import { arrive, nextSender, RECEIVING, rowOf } from './inbox-page.ts';
import { letter, markReached, SendPage } from './send-page.ts';
import { colleague, itemFrom, openItem } from './work-page.ts';

const webConsole = testConsole({ settings: RECEIVING });

/** The number beside Sent in the rail. */
async function attentionIn(page: Page): Promise<number> {
  const link = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: /^Sent/u });
  return Number(/, (\d+) needs? your/u.exec((await link.textContent()) ?? '')?.[1] ?? 0);
}

/** Mara sends a fax, whose page is then before her. */
async function sent(page: Page, number: string): Promise<Fax> {
  await markReached(webConsole.gateway, `+1${number.replaceAll(' ', '')}`);
  const send = await new SendPage(page).opened();
  await send.number(number);
  await send.add(letter());
  await send.drawn();
  await send.send.click();
  await page.getByText('Waiting to be sent').first().waitFor();
  return webConsole.gateway.fax(page.url().split('/').at(-1) ?? '');
}

/** The same, and she goes to another screen. */
async function sentAndLeft(page: Page, number: string): Promise<Fax> {
  const fax = await sent(page, number);
  await page.keyboard.press('Alt+2');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  return fax;
}

/** The provider has it, and says that it failed. */
async function fail(id: string): Promise<void> {
  const { gateway } = webConsole;
  await gateway.processAll();
  gateway.emulator.complete((await gateway.fax(id)).provider_sid ?? '', { errorId: 42 });
  gateway.clock.advance(30 * SECOND);
  await gateway.processAll();
}

test('a fax that fails after its page was left shows on every screen, until it is looked at', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const { id } = await sentAndLeft(page, '202 555 0161');
  expect(await attentionIn(page)).toBe(0);
  await fail(id);
  await page.getByText('The fax to +1 202 555 0161 was not delivered.').waitFor();
  await expect.poll(() => attentionIn(page)).toBe(1);
  await expect.poll(() => page.title()).toBe('1 fax needs your attention · Inbox · Faxdesk');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show the fax' }).click();
  await page.getByRole('complementary', { name: 'Fax' }).getByRole('heading', { level: 2 }).waitFor();
  await expect.poll(() => attentionIn(page)).toBe(0);
  await expect.poll(() => page.title()).toBe('Sent · Faxdesk');
  await page.keyboard.press('Alt+2');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await expect.poll(() => page.getByText('was not delivered').count()).toBe(0);
});

test('a fax that fails while the screen that its sender chose is still loading shows there', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const { id } = await sent(page, '202 555 0163');
  const seen: string[] = [];
  page.on('request', (request) => request.url().endsWith('/seen') && seen.push(request.url()));
  const loading = Promise.withResolvers<void>();
  await page.route('**/settings-screen-*.js', async (route) => {
    await loading.promise;
    await route.continue();
  });
  await page.keyboard.press('Alt+8');
  await page.waitForURL('**/admin/ui/settings**');
  await fail(id);
  await page.getByRole('link', { name: 'Show the fax' }).waitFor();
  loading.resolve();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect([seen, await attentionIn(page)]).toEqual([[], 1]);
  await page.getByRole('link', { name: 'Show the fax' }).click();
  await expect.poll(() => attentionIn(page)).toBe(0);
});

test('a fax that needs an answer shows until it has one, wherever the answer comes from', async (context) => {
  const { gateway } = webConsole;
  const { page, context: window } = await webConsole.open(context, { path: '/send' });
  const { id } = await sentAndLeft(page, '202 555 0162');
  gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
  await gateway.processAll();
  await page.getByText('We don’t know if the fax to +1 202 555 0162 arrived.').waitFor();
  await expect.poll(() => attentionIn(page)).toBe(1);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(() => page.getByText('We don’t know if').count()).toBe(0);
  expect(await attentionIn(page)).toBe(1);
  const { delivery_version } = await gateway.fax(id);
  await window.request.post(`/fax/${id}/reconcile`, {
    data: { outcome: 'success', note: 'Ana', delivery_version },
    headers: await headersOfPage(window, gateway),
  });
  await expect.poll(() => attentionIn(page)).toBe(0);
});

test('the title names the screen and how many faxes are unread', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await rowOf(page, sender.shown).waitFor();
  await expect.poll(() => page.title()).toBe('Inbox · 1 unread · Faxdesk');
  await page.keyboard.press('Alt+8');
  await expect.poll(() => page.title()).toBe('Settings · 1 unread · Faxdesk');
  await page.keyboard.press('Alt+1');
  await expect.poll(() => page.title()).toBe('New fax · 1 unread · Faxdesk');
});

/** A fax whose work item is given to Mara, to be acknowledged within so many hours. */
async function itemOfMara(from: string, hours: number): Promise<string> {
  const { gateway } = webConsole;
  await gateway.request('PUT', '/admin/settings', { json: { changes: { WORK_ACKNOWLEDGE_HOURS: hours } } });
  await arrive(webConsole, { from });
  const [fax] = (await (await gateway.request('GET', '/inbound')).json()) as { work_item_id: string }[];
  const id = fax?.work_item_id ?? '';
  const found = await (await gateway.request('GET', `/work/${id}/assignees`)).json();
  const { people } = found as { people: { id: string; name: string }[] };
  const mara = people.find(({ name }) => name === 'Mara Okafor');
  const given = await gateway.request('POST', `/work/${id}/assign`, {
    json: { principal_id: mara?.id, version: 1 },
  });
  expect(given.status).toBe(200);
  return id;
}

test('an item of mine shows on every screen before it falls overdue, once, and in a notice without its sender', async (context) => {
  const { gateway } = webConsole;
  const sender = nextSender();
  const id = await itemOfMara(sender.e164, 1);
  const later = gateway.clock.now() + HOUR - 10 * MINUTE;
  const { page, context: window } = await webConsole.open(context, {
    path: '/sent',
    script: BRIDGE,
    prepare: (it) => it.clock.install({ time: later - MINUTE }),
  });
  const tray = () => page.evaluate('noted.tray');
  const notices = async () => {
    const all = await page.evaluate<{ title: string; body: string; open: string }[]>('noted.notices');
    return all.filter(({ title }) => title !== 'New fax' && title !== 'A fax was assigned to you');
  };
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  await expect.poll(tray).toMatchObject({ myItems: 1, dueItems: 0 });
  const told = page.getByText(/^One of your items is due at \d\d:\d\d\.$/u);
  expect(await told.count()).toBe(0);
  await page.clock.fastForward(MINUTE + SECOND);
  await told.waitFor();
  await expectAccessible(page);
  await expect.poll(notices).toHaveLength(1);
  const [notice] = await notices();
  expect(notice).toMatchObject({ title: 'One of your items is due soon', open: `/work/${id}` });
  expect(JSON.stringify(notice)).not.toContain(sender.e164.slice(-4));
  await expect.poll(tray).toMatchObject({ myItems: 1, dueItems: 1 });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await told.waitFor({ state: 'detached' });
  // Another item arrives, which is due later: the reminder is not repeated.
  const other = await itemOfMara(nextSender().e164, 2);
  await expect.poll(tray).toMatchObject({ myItems: 2, dueItems: 1 });
  await page.clock.fastForward(2 * MINUTE);
  expect(await notices()).toHaveLength(1);
  const headers = await headersOfPage(window, gateway);
  for (const acknowledged of [id, other])
    await window.request.post(`/work/${acknowledged}/acknowledge`, { data: { version: 2 }, headers });
  await expect.poll(tray).toMatchObject({ myItems: 0, dueItems: 0 });
  expect(await told.count()).toBe(0);
});

/** Assigns an item to the person with this name; `key` null for the installation key. */
async function give(id: string, name: string, key: string | null = null): Promise<void> {
  const { gateway } = webConsole;
  const as = key === null ? {} : { key };
  const { version } = (await (await gateway.request('GET', `/work/${id}`, as)).json()) as { version: number };
  const found = await (await gateway.request('GET', `/work/${id}/assignees`)).json();
  const { people } = found as { people: { id: string; name: string }[] };
  const principal_id = people.find((person) => person.name === name)?.id;
  const given = await gateway.request('POST', `/work/${id}/assign`, {
    ...as,
    json: { principal_id, version },
  });
  expect(given.status).toBe(200);
}

/** A fax without an owner; answers its item. */
async function newItem(): Promise<{ id: string; faxId: string; shown: string }> {
  const { e164, shown } = nextSender();
  await arrive(webConsole, { from: e164 });
  const { id, inbound_fax_id: faxId } = await itemFrom(webConsole, shown);
  return { id, faxId, shown };
}

interface Noted {
  readonly title: string;
  readonly body: string;
  readonly open: string;
}

const noticesOf = async (page: Page) =>
  (await page.evaluate<Noted[]>('noted.notices')).filter(({ title }) => title !== 'New fax');

test('a fax that becomes mine or is taken from me shows in the window, the tray and a notice, with one press to it', async (context) => {
  const { gateway } = webConsole;
  const jonas = await colleague(webConsole, 'Jonas Tveit');
  await gateway.request('PUT', '/admin/settings', { json: { changes: { WORK_ACKNOWLEDGE_HOURS: 0 } } });
  const fax = await newItem();
  const { page } = await webConsole.open(context, { path: '/contacts', script: BRIDGE });
  await expect.poll(() => page.evaluate('noted.tray')).toMatchObject({ newItems: 0 });
  await give(fax.id, 'Mara Okafor', jonas.key);
  const mine = page.getByText('Jonas Tveit assigned a fax to you.');
  await mine.waitFor();
  await expectAccessible(page);
  await expect.poll(() => page.evaluate('noted.tray')).toMatchObject({ newItems: 1 });
  await expect
    .poll(() => noticesOf(page))
    .toEqual([
      {
        title: 'A fax was assigned to you',
        body: 'Jonas Tveit assigned a fax to you.',
        open: `/work/${fax.id}`,
      },
    ]);
  await page.getByRole('button', { name: 'Show the item' }).click();
  await page.waitForURL(`**/work/${fax.id}**`);
  await mine.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('noted.tray')).toMatchObject({ newItems: 0 });

  // Looking at it is enough.
  await give(fax.id, 'Jonas Tveit', jonas.key);
  await expect.poll(() => page.evaluate('noted.tray')).toMatchObject({ myItems: 0 });
  const taken = page.getByText('Jonas Tveit took over one of your faxes.');
  expect(await taken.count()).toBe(0);
  await give(fax.id, 'Mara Okafor', jonas.key);
  await expect.poll(() => page.evaluate('noted.tray')).toMatchObject({ myItems: 1 });
  await page.keyboard.press('Alt+5');
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  await give(fax.id, 'Jonas Tveit', jonas.key);
  await taken.waitFor();
  await expect
    .poll(async () => (await noticesOf(page)).at(-1))
    .toMatchObject({
      title: 'A fax is no longer yours',
      open: `/work/${fax.id}`,
    });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await taken.waitFor({ state: 'detached' });
});

test('what I do with my own work is no news, and what happened meanwhile shows at the next opening', async (context) => {
  const jonas = await colleague(webConsole, 'Jonas Berg');
  const fax = await newItem();
  const { page } = await webConsole.open(context, { path: `/work/${fax.id}?view=all`, script: BRIDGE });
  await openItem(page).getByRole('button', { name: /^Take/u }).first().waitFor();
  await page.keyboard.press('o');
  await expect.poll(() => page.evaluate('noted.tray')).toMatchObject({ myItems: 1, newItems: 0 });
  await page.goto('about:blank');
  const other = await newItem();
  await give(other.id, 'Mara Okafor', jonas.key);
  await page.goto('/admin/ui/contacts');
  await page.getByText('Jonas Berg assigned a fax to you.').waitFor();
  expect(await page.getByText('assigned a fax to you.').count()).toBe(1);
});

test('an item that becomes overdue shows once', async (context) => {
  const { gateway } = webConsole;
  const id = await itemOfMara(nextSender().e164, 1);
  gateway.clock.advance(HOUR - MINUTE);
  const { page } = await webConsole.open(context, {
    path: '/contacts',
    script: BRIDGE,
    prepare: (it) => it.clock.install({ time: gateway.clock.now() }),
  });
  await expect.poll(() => page.evaluate('noted.tray')).toMatchObject({ dueItems: 1 });
  gateway.clock.advance(MINUTE);
  await page.clock.fastForward(MINUTE);
  const told = page.getByText('One of your items is overdue.');
  await told.waitFor();
  await expect
    .poll(async () => (await noticesOf(page)).at(-1))
    .toMatchObject({ title: 'One of your items is overdue', open: `/work/${id}` });
  await page.getByRole('button', { name: 'Dismiss' }).last().click();
  await told.waitFor({ state: 'detached' });
  await page.clock.fastForward(2 * MINUTE);
  expect(await told.count()).toBe(0);
});
