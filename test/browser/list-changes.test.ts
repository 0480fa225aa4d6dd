import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { fillStore } from '../bench/fill-store.ts';
import { testConsole } from './console.ts';
import { finalPosition } from './final-position.ts';
import { endFax, nextNumber, rowOf, sendingFax } from './sent-page.ts';

const FAXES = 400;
const webConsole = testConsole(async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-lists-'));
  await fillStore({ postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') }, FAXES);
  return { dataFolder };
});

const grid = (page: Page) => page.getByRole('grid', { name: 'Sent faxes' });
const rowNumber = (page: Page) =>
  page.evaluate(`Number(document.querySelector('[data-active]')?.getAttribute('aria-rowindex'))`);

/**
 * Waits until the page follows the events: a list that was read before its stream was open is read again, and would lose what no
 * longer fits. A fax that comes into the list shows it.
 */
async function followed(page: Page): Promise<void> {
  const number = nextNumber();
  await webConsole.gateway.send({ to: number.e164 });
  await rowOf(page, number.shown).waitFor();
}

/** Reads the next list now, and holds its answer back until `answer` is called. */
async function holdNextList(page: Page): Promise<{ read: Promise<void>; answer: () => void }> {
  const [read, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = async (route: Parameters<Parameters<Page['route']>[1]>[0]) => {
    const response = await route.fetch();
    read.resolve();
    await answer.promise;
    await route.fulfill({ response });
  };
  await page.route(/\/fax\?limit=/u, holding, { times: 1 });
  return { read: read.promise, answer: answer.resolve };
}

test('a fax that came while the list was read is in it', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Alt+4');
  await grid(page).getByRole('row').nth(5).waitFor();
  // From here on this page has its position in the stream, so it need not read anything again.
  await followed(page);
  await page.keyboard.press('Alt+1');
  const list = await holdNextList(page);
  await page.keyboard.press('Alt+4');
  await list.read;
  const number = nextNumber();
  const reported = page.waitForResponse(/\/fax\?ids=/u);
  await webConsole.gateway.send({ to: number.e164 });
  await reported;
  list.answer();
  await rowOf(page, number.shown).waitFor();
});

test('the gateway says which changed fax belongs into a filtered list', async (context) => {
  const number = nextNumber();
  const fax = await sendingFax(webConsole, number.e164);
  const { page } = await webConsole.open(context, { path: '/sent?state=failed' });
  await grid(page).getByRole('row').nth(5).waitFor();
  await expect.poll(() => rowOf(page, number.shown).count()).toBe(0);
  await endFax(webConsole, fax, 'The line is busy.');
  await rowOf(page, number.shown).getByText('Failed').waitFor();
});

test('a search finds a new fax as the gateway reads its words', async (context) => {
  const number = nextNumber();
  const wide = Array.from(number.e164.slice(1), (digit) => String.fromCodePoint(0xff10 + Number(digit))).join(
    '',
  );
  const { page } = await webConsole.open(context, { path: `/sent?q=${encodeURIComponent(wide)}` });
  await page.getByRole('button', { name: 'Clear filters' }).first().waitFor();
  await expect.poll(() => grid(page).count()).toBe(0);
  await webConsole.gateway.send({ to: number.e164 });
  await rowOf(page, number.shown).waitFor();
});

test('a row that no longer fits stays in its position and says what it is now', async (context) => {
  const number = nextNumber();
  const fax = await sendingFax(webConsole, number.e164);
  const { page } = await webConsole.open(context, { path: '/sent?state=going' });
  const row = rowOf(page, number.shown);
  await row.getByText('Sending').waitFor();
  await followed(page);
  const position = await finalPosition(row);
  await endFax(webConsole, fax);
  await row.getByText('Delivered').waitFor();
  expect(await finalPosition(row)).toEqual(position);
  await page.reload();
  await page.getByRole('button', { name: 'Clear filters' }).first().waitFor();
  await expect.poll(() => row.count()).toBe(0);
});

test('after a gap in the events the list is read again, and the row in hand stays', async (context) => {
  let isGap = false;
  const { page, complaints } = await webConsole.open(context, {
    path: '/sent',
    prepare: async (it) => {
      await it.route(/\/console\/events/u, (route) => route.abort());
      await it.route(/\/console\/changes/u, (route) =>
        route.fulfill({ json: { events: [], next: `here-${Number(isGap)}`, reset: isGap } }),
      );
    },
  });
  complaints.allow('ERR_FAILED');
  await grid(page).getByRole('row').nth(5).waitFor();
  for (const key of ['j', 'PageDown', 'PageDown', 'PageDown', 'PageUp']) await page.keyboard.press(key);
  const read = grid(page).locator('[data-active]');
  await expect.poll(() => read.textContent()).toContain('+1 202');
  const position = await finalPosition(read);
  const [row, text] = [await rowNumber(page), await read.textContent()];
  for (const number of [nextNumber(), nextNumber(), nextNumber()])
    await webConsole.gateway.send({ to: number.e164 });
  isGap = true;
  await expect.poll(() => rowNumber(page)).toBe(Number(row) + 3);
  await expect.poll(() => read.textContent()).toBe(text);
  expect(await finalPosition(read)).toEqual(position);
});
