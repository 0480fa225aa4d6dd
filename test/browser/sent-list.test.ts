import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { fillStore } from '../bench/fill-store.ts';
import { expectAccessible, testConsole } from './console.ts';
import { finalPosition } from './final-position.ts';
import { details, endFax, nextNumber, rowOf, sendingFax } from './sent-page.ts';

const FAXES = 3_000;
const webConsole = testConsole(async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-sent-'));
  await fillStore({ postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') }, FAXES);
  return { dataFolder };
});

const grid = (page: Page) => page.getByRole('grid', { name: 'Sent faxes' });
/** As readers count: the head is the first row. */
const activeRow = (page: Page) =>
  page.evaluate(
    `Number(document.getElementById(document.querySelector('[role=grid]').getAttribute('aria-activedescendant'))?.getAttribute('aria-rowindex'))`,
  );

const MINUTE = 60_000;
const TOP_ROW = `(() => {
  const { left, top } = document.querySelector('[role=grid]').getBoundingClientRect();
  return Number(document.elementFromPoint(left + 100, top + 80)?.closest('[role=row]')?.getAttribute('aria-rowindex'));
})()`;

test('a list of thousands is walked and opened with the keyboard alone', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await grid(page).getByRole('row').nth(5).waitFor();
  expect(Number(await grid(page).getAttribute('aria-rowcount'))).toBeGreaterThan(FAXES);
  await expect.poll(() => grid(page).getByRole('row').count()).toBeLessThan(60);
  for (const [key, row] of [
    ['j', 2],
    ['j', 3],
    ['k', 2],
    ['ArrowDown', 3],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => activeRow(page)).toBe(row);
  }
  await page.keyboard.press('PageDown');
  await expect.poll(() => activeRow(page)).toBeGreaterThan(10);
  await page.keyboard.press('End');
  const last = Number(await grid(page).getAttribute('aria-rowcount'));
  await expect.poll(() => activeRow(page)).toBe(last);
  await expect.poll(() => grid(page).locator(`[aria-rowindex="${last}"]`).textContent()).toContain('+1 202');
  await page.keyboard.press('Enter');
  await details(page).getByRole('heading', { level: 2 }).waitFor();
  await page.keyboard.press('k');
  await expect.poll(() => activeRow(page)).toBe(last - 1);
  await page.keyboard.press('Escape');
  await expect.poll(() => details(page).count()).toBe(0);
  await expectAccessible(page);
});

test('filters and search stand in the address: loading again and going back keep them', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('button', { name: /failed/u }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('0199');
  await expect.poll(() => new URL(page.url()).search).toBe('?q=0199&state=failed');
  const texts = () => grid(page).getByRole('row').nth(3).textContent();
  await expect.poll(texts).toMatch(/Failed.*0199/u);
  await page.reload();
  await expect.poll(texts).toMatch(/Failed.*0199/u);
  await expect
    .poll(() => page.getByRole('button', { name: /failed/u }).getAttribute('aria-pressed'))
    .toBe('true');
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('0199');
  await grid(page).getByRole('row').nth(3).click();
  await details(page).waitFor();
  await expectAccessible(page);
  await page.goBack();
  await expect.poll(() => details(page).count()).toBe(0);
  expect(new URL(page.url()).search).toContain('failed');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

/** Types a letter into the field in focus as soon as the address contains the search. */
const TYPE_DURING_SEARCH = `{
  const replaceState = history.replaceState;
  history.replaceState = (...given) => {
    replaceState.apply(history, given);
    if (location.search !== '?q=019') return;
    history.replaceState = replaceState;
    const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    value.set.call(document.activeElement, '0199');
    document.activeElement.dispatchEvent(new Event('input', { bubbles: true }));
  };
}`;

test('a letter that is typed while a search begins stays in the field', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('searchbox').click();
  await page.evaluate(TYPE_DURING_SEARCH);
  await page.keyboard.type('019');
  await expect.poll(() => new URL(page.url()).search).toBe('?q=0199');
  expect(await page.getByRole('searchbox').inputValue()).toBe('0199');
});

test('days narrow the list, and what nothing fits says so', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent?since=2026-01-02&until=2026-01-02' });
  // The count so far depends on how many pages were prefetched.
  await page.getByText(/more than \d+ faxes/u).waitFor();
  await expect.poll(() => grid(page).getByRole('row').nth(1).textContent()).toContain('2 Jan');
  await page.getByRole('button', { name: /2 Jan/u }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Today' }).click();
  // A key belongs to the open days until they are gone.
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('/');
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('no such fax');
  await page.getByRole('heading', { name: 'No matches' }).waitFor();
  await expectAccessible(page);
});

test('a pasted text that is too long for a search is cut', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('searchbox').click();
  await page.keyboard.insertText('no such fax '.repeat(20));
  await page.getByRole('heading', { name: 'No matches' }).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toHaveLength(100);
});

test('a change arrives in its row, and nothing else moves', async (context) => {
  const number = nextNumber();
  const fax = await sendingFax(webConsole, number.e164);
  const { page } = await webConsole.open(context, { path: '/sent' });
  const row = rowOf(page, number.shown);
  await row.getByText('Sending').waitFor();
  const position = await finalPosition(row);
  await endFax(webConsole, fax);
  await row.getByText('Delivered').waitFor();
  expect(await finalPosition(row)).toEqual(position);
  await expect.poll(() => row.textContent()).toContain('0.19');
});

test('a new fax comes in at the top without moving what is read further down', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await grid(page).getByRole('row').nth(5).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('End');
  await expect.poll(() => activeRow(page)).toBeGreaterThan(FAXES);
  await page.keyboard.press('PageUp');
  const read = grid(page).locator('[data-active]');
  await expect.poll(() => read.textContent()).toContain('+1 202');
  await page.evaluate(`document.querySelector('[data-active]').dataset.read = 'yes'`);
  const [before, text] = [await finalPosition(read), await read.textContent()];
  const row = await activeRow(page);
  const number = nextNumber();
  await webConsole.gateway.send({ to: number.e164 });
  await expect.poll(() => activeRow(page)).toBe(Number(row) + 1);
  expect(await finalPosition(read)).toEqual(before);
  await expect.poll(() => read.textContent()).toBe(text);
  await page.keyboard.press('Home');
  await rowOf(page, number.shown).waitFor();
});

test('a list that cannot be read says so and comes with the next try', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('503 GET /fax');
  const refusal = { status: 503, json: { detail: 'The gateway is busy; try again in a moment.' } };
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.route(/\/fax\?/u, (route) => route.fulfill(refusal));
  await page.keyboard.press('Alt+4');
  await page.getByRole('heading', { name: 'The list cannot be loaded' }).waitFor();
  await expectAccessible(page);
  await page.unroute(/\/fax\?/u);
  await page.getByRole('button', { name: 'Try again' }).click();
  await grid(page).getByRole('row').nth(5).waitFor();
});

test('a number is never seen without its gaps, however late the rules for them come', async (context) => {
  const number = nextNumber();
  await webConsole.gateway.send({ to: number.e164 });
  const { page } = await webConsole.open(context, { path: '/my-sign-in' });
  const letGo = Promise.withResolvers<void>();
  await page.route('**/phone-rules*', async (route) => {
    await letGo.promise;
    await route.continue();
  });
  await page.goto('/admin/ui/sent');
  const rows = page.getByRole('grid', { name: 'Sent faxes' }).getByRole('row');
  await rows.filter({ hasText: 'Waiting' }).first().waitFor();
  await expect.poll(() => rows.filter({ hasText: number.e164 }).count()).toBe(0);
  letGo.resolve();
  await rowOf(page, number.shown).waitFor();
});

test('a list that is left and opened again stands as it was left', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await grid(page).getByRole('row').nth(5).waitFor();
  const place = () => page.evaluate('document.querySelector("[role=grid]").scrollTop') as Promise<number>;
  const row = grid(page).getByRole('row').nth(12);
  await page.evaluate('document.querySelector("[role=grid]").scrollTop = 20000');
  // The rows of before have numbers, too, and those of the new place come page by page.
  await expect.poll(async () => Number(await row.getAttribute('aria-rowindex'))).toBeGreaterThan(200);
  await expect.poll(() => row.textContent()).toMatch(/\d{4}/u);
  await finalPosition(row);
  await row.click();
  await details(page).getByRole('heading', { level: 2 }).waitFor();
  const [before, opened] = [await place(), page.url()];
  await page.keyboard.press('Alt+1');
  await page.getByRole('heading', { level: 1, name: 'New fax' }).waitFor();
  await page.keyboard.press('Alt+4');
  await details(page).getByRole('heading', { level: 2 }).waitFor();
  expect(page.url()).toBe(opened);
  await expect.poll(place).toBe(before);
  expect(before).toBeGreaterThan(10_000);
  await page.getByRole('button', { name: /failed/u }).click();
  await expect.poll(() => page.url()).toContain('state=failed');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('navigation', { name: 'Settings' }).waitFor();
  await page.getByRole('link', { name: /^Sent/u }).click();
  await expect.poll(() => page.url()).toContain('state=failed');
  // The link of the current screen clears the filter.
  await page.getByRole('link', { name: /^Sent/u }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

test('a list whose further rows come late stands as it was left, unless the person scrolls before', async (context) => {
  const { page } = await webConsole.open(context, {
    path: '/sent',
    prepare: (it) => it.clock.install(),
  });
  // Of the row at the top: the headings of days that are not loaded yet move it by their height.
  const place = () => page.evaluate(TOP_ROW) as Promise<number>;
  const inSight = () => grid(page).getByRole('row').nth(12).textContent();
  await grid(page).getByRole('row').nth(5).waitFor();
  // A row of the first page, below those that are in sight at first.
  await page.evaluate('document.querySelector("[role=grid]").scrollTop = 1000');
  await expect.poll(inSight).toMatch(/\d{4}/u);
  await grid(page).getByRole('row').nth(20).click();
  await details(page).getByRole('heading', { level: 2 }).waitFor();
  await page.evaluate('document.querySelector("[role=grid]").scrollTop = 6000');
  await expect.poll(inSight).toMatch(/\d{4}/u);
  await expect.poll(place).toBeGreaterThan(50);
  const before = await place();
  for (const scrolls of [false, true]) {
    await page.keyboard.press('Alt+1');
    await page.getByRole('heading', { level: 1, name: 'New fax' }).waitFor();
    // By then the rows of the list are no longer kept.
    await page.clock.fastForward(6 * MINUTE);
    const release = Promise.withResolvers<void>();
    await page.route(/\/fax\?.*cursor=/u, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.keyboard.press('Alt+4');
    await grid(page).waitFor();
    if (scrolls) await grid(page).dispatchEvent('wheel');
    const further = page.waitForResponse(/\/fax\?.*cursor=/u);
    release.resolve();
    await further;
    if (scrolls) await expect.poll(inSight).toMatch(/\d{4}/u);
    await expect.poll(async () => (await place()) === before).toBe(!scrolls);
    await page.unroute(/\/fax\?.*cursor=/u);
  }
});

test('counts that end at their limit say that there may be more', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.route('**/fax/counts', async (route) => {
    const answer = await route.fetch();
    const counts = (await answer.json()) as { all: object; mine: object };
    const many = { failed: 10_000, success: 10_000 };
    const json = {
      ...counts,
      all: { ...counts.all, ...many },
      mine: { ...counts.mine, failed: 12, success: 3 },
    };
    await route.fulfill({ json });
  });
  await page.route('**/inbound/counts', (route) =>
    route.fulfill({ json: { unread: 1_000, waiting: 3, failed: 0, junk: 1_000 } }),
  );
  await page.reload();
  const status = page.getByRole('main').getByRole('status').filter({ hasText: 'faxes' });
  await expect.poll(() => status.textContent()).toMatch(/^2\d,\d{3}\+ faxes$/u);
  expect(await page.getByRole('button', { name: /^10,000\+\s?failed/u }).count()).toBe(1);
  expect(await page.getByRole('button', { name: /by me/u }).textContent()).not.toContain('+');
  expect(await page.getByRole('link', { name: /^Inbox/u }).textContent()).toContain('1,000+');
  expect(await page.title()).toContain('1,000+');
});
