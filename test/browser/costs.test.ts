import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { INSTALLATION } from '../../shared/permissions.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';

const webConsole = testConsole({ settings: { FAX_DEFAULT_COUNTRY: 'US', TIME_ZONE: 'UTC' } });

/** A fax of one page, for which the provider reports so many cents; 0 for nothing. */
async function sent(to: string, cost: number): Promise<void> {
  const { gateway } = webConsole;
  const { id } = await gateway.send({ to });
  await gateway.processAll();
  gateway.emulator.complete(String((await gateway.fax(id)).provider_sid), { cost });
  gateway.clock.advance(5 * MINUTE);
  await gateway.processAll();
}

async function post(path: string, json: object): Promise<{ id: string }> {
  const answer = await webConsole.gateway.request('POST', path, { json });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}

const card = (prefix: string, prices: object) =>
  post('/routing/rate-cards', { backend: 'cloudone', currency: 'USD', prefixes: [prefix], ...prices });

async function removeAllCards(): Promise<void> {
  const { gateway } = webConsole;
  const { items } = (await (await gateway.request('GET', '/routing/rate-cards')).json()) as {
    items: { id: string; version: number }[];
  };
  for (const { id, version } of items) await post(`/routing/rate-cards/${id}/remove`, { version });
}

/** To the second day of the next month, so that no test meets the costs of another. */
function nextMonth(): void {
  const { clock } = webConsole.gateway;
  const now = new Date(clock.now());
  clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2, 9) - clock.now());
}

const monthOf = (page: Page) => page.getByRole('heading', { level: 2 }).first();
const cells = (page: Page, table: string, row: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: row }).getByRole('cell');
const tile = (page: Page, name: string) =>
  page.getByText(name, { exact: true }).locator('xpath=following-sibling::dd');
/** As it stands there, with plain spaces. */
const text = async (page: Page, name: string) => (await tile(page, name).innerText()).replace(/\s+/gu, ' ');

test('people who send without rate cards read how amounts are found, and enter one with the keyboard', async (context) => {
  await removeAllCards();
  nextMonth();
  nextMonth();
  const { page, complaints } = await webConsole.open(context, { path: '/costs' });
  complaints.allow('409 ');
  await page.getByText('No costs yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Add a rate card' }).click();
  await page.getByText('No rate cards yet').waitFor();
  await page.keyboard.press('Shift+A');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await dialog.getByText('Choose a provider first.').waitFor();
  await dialog.getByText('Enter at least one price, or a monthly fee.').waitFor();
  await dialog.getByText('Enter the code of a currency, such as USD or EUR.').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Provider').press('Enter');
  await page.getByRole('option', { name: 'Phaxio' }).press('Enter');
  await dialog.getByLabel('Currency').fill('usd');
  await dialog.getByLabel('Per page').fill('0,07');
  await dialog.getByText('Enter a number such as 0.07').waitFor();
  await dialog.getByLabel('Per page').fill('0.0725');
  await dialog.getByLabel('Per minute').fill('0.02');
  await dialog.getByLabel('Billed in whole').fill('30');
  await dialog.getByLabel('Numbers that begin with').fill('421');
  await dialog.getByLabel('Source').fill('Contract of March');
  await dialog.getByText('Begin each with + and the country code').waitFor();
  await dialog.getByLabel('Numbers that begin with').fill('+421');
  await dialog.getByLabel('Source').press('Enter');
  const item = page.getByRole('list', { name: 'Rate cards' }).getByRole('listitem');
  await item.getByText(/\$0\.0725 per page, \D*\$0\.02 per minute \(in whole 30\s+s\)/u).waitFor();
  await item.getByText('Source: Contract of March').waitFor();
  await expectAccessible(page);
  // Another card for the same numbers is refused at its field, and nothing that was typed is lost.
  await page.keyboard.press('Shift+A');
  await dialog.getByLabel('Provider').press('Enter');
  await page.getByRole('option', { name: 'Phaxio' }).press('Enter');
  await dialog.getByLabel('Per fax').fill('1');
  await dialog.getByLabel('Numbers that begin with').fill('+421');
  await dialog.getByLabel('Numbers that begin with').press('Enter');
  await dialog.getByText('Another rate card').waitFor();
  expect(await dialog.getByLabel('Per fax').inputValue()).toBe('1');
  await page.keyboard.press('Escape');
  await item.getByRole('button', { name: 'Remove' }).press('Enter');
  await page.getByRole('button', { name: 'Remove it' }).press('Enter');
  await page.getByText('No rate cards yet').waitFor();
});

test('new prices of a rate card are its next version, and what it said before stays', async (context) => {
  nextMonth();
  await card('+386', { per_page: '0.10', source: 'Contract of March' });
  const { page } = await webConsole.open(context, { path: '/costs/rate-cards' });
  const item = page.getByRole('listitem').filter({ hasText: '+386' });
  await item.getByRole('button', { name: 'Change prices' }).press('Enter');
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Per page').inputValue()).toBe('0.10');
  await dialog.getByLabel('Per page').fill('0.12');
  await dialog.getByLabel('Source').fill('Contract of June');
  await dialog.getByRole('button', { name: 'Save prices' }).press('Enter');
  await item.getByText('$0.12 per page').waitFor();
  await item.getByRole('button', { name: 'Show all versions' }).press('Enter');
  const versions = page.getByRole('table', { name: 'Show all versions' });
  await versions.getByRole('row').filter({ hasText: 'Contract of March' }).getByText('$0.10').waitFor();
  await versions.getByRole('row').filter({ hasText: 'Contract of June' }).getByText('$0.12').waitFor();
  await expectAccessible(page);
});

test('a rate card may be of one route of the provider, and says so', async (context) => {
  nextMonth();
  const route = { name: 'Night tariff', backend: 'cloudone', prefixes: ['+387'] };
  await post('/routing/routes', route);
  const { page } = await webConsole.open(context, { path: '/costs/rate-cards' });
  await page.getByRole('button', { name: 'Add rate card' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Provider').press('Enter');
  await page.getByRole('option', { name: 'Phaxio' }).press('Enter');
  await dialog.getByRole('button', { name: 'All routes of the provider' }).press('Enter');
  await page.getByRole('option', { name: 'Night tariff' }).press('Enter');
  await dialog.getByLabel('Currency').fill('USD');
  await dialog.getByLabel('Monthly fee').fill('4');
  await dialog.getByLabel('Numbers that begin with').fill('+387');
  await dialog.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await page.getByText('Phaxio by Night tariff, numbers that begin with +387').waitFor();
  await page.getByRole('link', { name: 'By month' }).click();
  await cells(page, 'Plan pages left this month', 'Phaxio by Night tariff').first().waitFor();
  await removeAllCards();
});

test('a month stands against the one before, by country and by day, each currency for itself, and what is unknown is counted and never a 0', async (context) => {
  nextMonth();
  const { gateway } = webConsole;
  await card('+351', { per_page: '0.07', monthly_fee: '9.90', included_pages: 2 });
  await card('+352', { currency: 'EUR', per_page: '0.0045' });
  await post('/contacts', { name: 'Porto Clinic', fax_number: '+351210000001' });
  await sent('+351210000001', 31);
  nextMonth();
  await sent('+351210000001', 23);
  await sent('+351210000002', 0);
  await sent('+352270000001', 0);
  await sent('+48123456789', 0);
  const { page } = await webConsole.open(context, { path: '/costs?by=country' });
  const month = (plus: number) => {
    const now = new Date(gateway.clock.now());
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + plus));
    return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      first,
    );
  };
  await expect.poll(() => monthOf(page).innerText()).toBe(month(0));
  expect(await text(page, `${month(0)} so far`)).toMatch(
    /^€0.0045 \D*0.23 3 attempts and 1 of unknown cost$/u,
  );
  expect(await text(page, month(-1))).toMatch(/^\D*0.31 1 attempt( \D*0.31 of it by .*)?$/u);
  expect(await text(page, 'Monthly fees')).toMatch(/^\D*9.90 Not included in the amounts here\.$/u);
  await page.getByText('1 attempt has an unknown cost and is not included in any amount.').waitFor();
  const found = async (table: string, row: string) =>
    (await cells(page, table, row).allInnerTexts()).map((cell) => cell.replace(/US|\s/gu, ''));
  // This month, the one before, attempts, and how many of them are of unknown cost.
  expect(await found('Fax costs', 'Portugal')).toEqual(['$0.23', '$0.31', '2', '0']);
  expect(await found('Fax costs', 'Luxembourg')).toEqual(['€0.0045', '–', '1', '0']);
  expect(await found('Fax costs', 'Poland')).toEqual(['–', '–', '1', '1']);
  expect(await found('Fax costs', 'All together')).toEqual(['€0.0045$0.23', '–$0.31', '4', '1']);
  expect(await found('Plan pages left this month', 'Phaxio')).toEqual(['$9.90', '2', '2', '0']);
  expect(await found('Most expensive numbers in USD', 'Porto Clinic')).toEqual(['$0.23', '1']);
  await expectAccessible(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the amounts of this month' }).click();
  expect(await readFile(await (await saved).path(), 'utf8')).toContain('country,PL,Poland,,,1\r\n');
  await page.getByRole('button', { name: 'Day', exact: true }).press('Enter');
  const table = page.getByRole('table', { name: 'Fax costs' });
  const days = new Date(gateway.clock.now()).getUTCDate();
  // From the first day with a fax, which is the second of the month.
  expect(days).toBe(2);
  await expect.poll(() => table.getByRole('row').count()).toBe(days - 1 + 2);
  await page.getByRole('button', { name: `Show ${month(-1)}` }).press('Enter');
  await expect.poll(() => monthOf(page).innerText()).toBe(month(-1));
  await expect.poll(() => text(page, month(-1))).toMatch(/^\D*0.31 1 attempt$/u);
  expect(await page.getByText('Plan pages left').count()).toBe(0);
  await page.getByRole('link', { name: 'Porto Clinic' }).click();
  await expect.poll(() => page.url()).toContain('/sent?q=');
});

test('costs begin with the month, the day and the columns that have any', async (context) => {
  const { gateway } = webConsole;
  for (const _month of [1, 2, 3]) nextMonth();
  gateway.clock.advance(3 * 24 * 60 * MINUTE);
  await sent('+351210000009', 40);
  const monthName = (plus: number) => {
    const now = new Date(gateway.clock.now());
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + plus));
    return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at);
  };
  const { page } = await webConsole.open(context, { path: '/costs' });
  const table = page.getByRole('table', { name: 'Fax costs' });
  await expect.poll(() => monthOf(page).innerText()).toBe(monthName(0));
  // One day after three empty ones, and the sum.
  await expect.poll(() => table.getByRole('row').count()).toBe(3);
  expect(await page.getByText(monthName(-1), { exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Country', exact: true }).press('Enter');
  await cells(page, 'Fax costs', 'Portugal').first().waitFor();
  expect(await table.getByRole('columnheader').allInnerTexts()).toHaveLength(3);
  // The session of this window ends within the month.
  await page.goto('about:blank');
  nextMonth();
  const later = (await webConsole.open(context, { path: '/costs' })).page;
  await expect.poll(() => monthOf(later).innerText()).toBe(monthName(-1));
  await cells(later, 'Fax costs', 'All together').first().waitFor();
  await later.getByRole('button', { name: `Show ${monthName(0)}` }).press('Enter');
  await expect.poll(() => monthOf(later).innerText()).toBe(monthName(0));
  await later.getByText('No fax sent in this month has ended.').waitFor();
  expect(await later.getByRole('table', { name: 'Fax costs' }).count()).toBe(0);
  await expectAccessible(later);
});

test('a reader without the right to every fax sees sums and no numbers, and changes no prices', async (context) => {
  nextMonth();
  await card('+354', { per_page: '0.07' });
  await sent('+3541234567', 12);
  const people = new MailboxPeople(webConsole.gateway);
  await people.addMailbox('ward', 'Ward 3');
  const { key } = await people.addPerson({ [INSTALLATION]: ['routing:read'], 'mailbox:ward': ['fax:read'] });
  const { page } = await webConsole.open(context, { path: '/costs?by=country', as: { key } });
  await cells(page, 'Fax costs', 'Iceland').first().waitFor();
  await page.getByText('Only people who can see all sent faxes see these numbers.').waitFor();
  await page.getByRole('navigation', { name: 'Pages of Costs' }).getByText('Rate cards').click();
  await page.getByRole('listitem').filter({ hasText: '+354' }).waitFor();
  expect(await page.getByRole('button', { name: 'Add rate card' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Change prices' }).count()).toBe(0);
});

test('who may not read costs has no such screen', async (context) => {
  const key = await webConsole.keyWith('fax:read', 'fax:send');
  const { page } = await webConsole.open(context, { path: '/send', as: { key } });
  const rail = page.getByRole('navigation', { name: 'Screens' });
  await rail.getByRole('link', { name: 'Sent' }).waitFor();
  expect(await rail.getByRole('link', { name: 'Costs' }).count()).toBe(0);
});
