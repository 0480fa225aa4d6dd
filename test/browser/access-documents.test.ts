import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, MARA, testConsole } from './console.ts';
import {
  arrive,
  details,
  nextSender,
  openDetails,
  RECEIVING,
  rowOf,
  shownPage,
  viewer,
} from './inbox-page.ts';
import { deliveredFax, nextNumber, details as sentDetails } from './sent-page.ts';

const webConsole = testConsole({ settings: RECEIVING });

const SKIP_PRINTING = `window.print = () => window.dispatchEvent(new Event('afterprint'))`;

const openedBy = (aside: Locator): Locator => aside.getByRole('region', { name: 'Opened by' });

/** Opens the list of people who opened the document, and returns its entries. */
async function showOpened(aside: Locator): Promise<Locator> {
  await openedBy(aside).getByRole('button', { name: 'Show who opened it' }).click();
  return openedBy(aside).getByRole('listitem');
}

const audited = (page: Page): Locator => page.getByRole('grid', { name: 'Security audit' }).getByRole('row');

test('a received fax shows who opened, printed and downloaded it, and the security audit the same', async (context) => {
  const [earlier, later] = [nextSender(), nextSender()];
  // The page of the next fax in the list is fetched ahead, which does not count as opening it.
  await arrive(webConsole, { from: earlier.e164 });
  await arrive(webConsole, { from: later.e164, pages: 3 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await page.setViewportSize({ width: 1600, height: 1000 });
  await page.evaluate(SKIP_PRINTING);
  const ahead = page.waitForResponse((response) => response.request().method() === 'HEAD');
  await rowOf(page, later.shown).click();
  await shownPage(page);
  expect((await ahead).status()).toBe(200);
  const printed = page.waitForResponse(/pdf\?purpose=print$/u);
  await viewer(page).getByRole('button', { name: 'Print' }).click();
  await printed;
  const saved = page.waitForEvent('download');
  await viewer(page)
    .getByRole('link', { name: /^Save|^Download/u })
    .click();
  await saved;
  const entries = await showOpened(await openDetails(page));
  await expect.poll(async () => (await entries.allTextContents()).length).toBe(3);
  const texts = await entries.allTextContents();
  for (const text of texts) expect(text).toContain(MARA.name);
  const done = texts.map((text) => /(Opened|Printed|Downloaded)/u.exec(text)?.[1]);
  expect(new Set(done)).toEqual(new Set(['Downloaded', 'Opened', 'Printed']));
  expect(texts.find((text) => text.includes('Opened'))).toMatch(/Opened, \d+ times, \d\d:\d\d/u);
  await expectAccessible(page);

  await openedBy(details(page)).getByRole('link', { name: 'Show in the security audit' }).click();
  await audited(page)
    .filter({ hasText: `${MARA.name} printed the received fax from ${later.shown}.` })
    .waitFor();
  await expect.poll(() => audited(page).filter({ hasText: 'received fax' }).count()).toBe(3);
  await audited(page)
    .filter({ hasText: /opened the received fax from .+, \d+ times\./u })
    .click();
  const event = page.getByRole('complementary', { name: 'Event' });
  await event.getByText('Times', { exact: true }).waitFor();
  await expectAccessible(page);
  await event.getByRole('link', { name: `Fax from ${later.shown}, 3 pages` }).click();
  await page.waitForURL('**/inbox/*');
  await page.getByRole('heading', { name: later.shown }).first().waitFor();
  await page.goBack();
  await event.waitFor();
  await page.getByRole('button', { name: 'One item only' }).click();
  await page
    .getByRole('button', { name: /Action/u })
    .first()
    .click();
  await page.getByRole('option', { name: 'Opening, printing or downloading a document' }).click();
  await expect.poll(() => audited(page).filter({ hasText: 'signed in' }).count()).toBe(0);
  await audited(page).filter({ hasText: 'printed the received fax from' }).waitFor();
  expect(await recordsOf(earlier.e164)).toEqual([]);
});

test('a sent fax shows who opened its document and its report', async (context) => {
  const fax = await deliveredFax(webConsole, nextNumber().e164);
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  await page.evaluate(SKIP_PRINTING);
  await (await showOpened(sentDetails(page))).first().waitFor({ state: 'detached' });
  await openedBy(sentDetails(page)).getByText('No one has opened, printed or downloaded it yet.').waitFor();
  await expectAccessible(page);
  const printed = page.waitForResponse(/report\?purpose=print$/u);
  await sentDetails(page)
    .getByRole('button', { name: /^Print/u })
    .click();
  await printed;
  await sentDetails(page).getByRole('button', { name: 'Open', exact: true }).last().click();
  const saved = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('link', { name: 'Download' }).click();
  await saved;
  await page.reload();
  const entries = await showOpened(sentDetails(page));
  await expect.poll(async () => (await entries.allTextContents()).length).toBe(3);
  const texts = (await entries.allTextContents()).map(
    (text) => /(Opened|Printed|Downloaded).*$/u.exec(text)?.[0],
  );
  expect(new Set(texts)).toEqual(new Set(['Downloaded', 'Opened', 'Printed the transmission report']));
  await expectAccessible(page);
  await openedBy(sentDetails(page)).getByRole('link', { name: 'Show in the security audit' }).click();
  await audited(page)
    .filter({ hasText: `${MARA.name} printed the transmission report of the fax to` })
    .click();
  await page
    .getByRole('complementary', { name: 'Event' })
    .getByRole('link', { name: /^Fax to / })
    .click();
  await page.waitForURL(`**/sent/${fax.id}`);
});

test('the name of the fax is hidden from an auditor who may not see faxes', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const list = await webConsole.gateway.request(
    'GET',
    `/inbound?from_number=${encodeURIComponent(sender.e164)}`,
  );
  const id = String(((await list.json()) as { id: string }[])[0]?.id);
  const opened = await webConsole.gateway.request('GET', `/inbound/${id}/pdf?purpose=print`);
  await opened.arrayBuffer();
  const key = await webConsole.keyWith('audit:read');
  const { page } = await webConsole.open(context, { path: `/access/audit?of=${id}`, as: { key } });
  await audited(page).filter({ hasText: 'The installation key printed a received fax.' }).click();
  const event = page.getByRole('complementary', { name: 'Event' });
  await event.getByText('By', { exact: true }).waitFor();
  await expect.poll(() => event.getByRole('link', { name: /^Fax/u }).count()).toBe(0);
});

test('the security audit shows in words why a request was refused, and how often', async (context) => {
  const key = await webConsole.keyWith('fax:read');
  for (const _time of [1, 2])
    await webConsole.gateway.request('POST', '/access/roles', {
      key,
      json: { name: 'All', permissions: [] },
    });
  const { page } = await webConsole.open(context, { path: '/access/audit?outcome=refused' });
  await audited(page).filter({ hasText: 'Viewer tried to create a role and was refused, 2 times.' }).click();
  const event = page.getByRole('complementary', { name: 'Event' });
  await event.getByText('You do not have permission to do that.').waitFor();
  await event.getByRole('button', { name: 'Details', exact: true }).press('Enter');
  await event.getByText('POST /access/roles').waitFor();
  await expectAccessible(page);
});

test('a person without permission to read the security audit does not see it', async (context) => {
  const fax = await deliveredFax(webConsole, nextNumber().e164);
  const key = await webConsole.keyWith('fax:read', 'fax:document');
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}`, as: { key } });
  await sentDetails(page).getByText(fax.id).waitFor();
  await expect.poll(() => openedBy(sentDetails(page)).count()).toBe(0);
});

async function recordsOf(from: string): Promise<unknown[]> {
  const { gateway } = webConsole;
  const answer = await gateway.request('GET', `/inbound?from_number=${encodeURIComponent(from)}`);
  const [fax] = (await answer.json()) as { id: string }[];
  expect(fax).toBeDefined();
  const audit = await gateway.request('GET', `/access/audit?target_id=${fax?.id}`);
  return ((await audit.json()) as { items: unknown[] }).items;
}
