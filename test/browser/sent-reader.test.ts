import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { type Fax, textFile } from '../setup/gateway.ts';
import { expectAccessible, testConsole } from './console.ts';
import { SendPage } from './send-page.ts';
import { details, nextNumber, rowOf } from './sent-page.ts';

const webConsole = testConsole();

const reader = (page: Page) => page.getByRole('region', { name: 'Pages of the fax' });
const pageName = (page: Page, count: number) =>
  reader(page)
    .getByRole('group', { name: new RegExp(`^Page \\d+ of ${count}$`, 'u') })
    .getAttribute('aria-label');

/** Width in px of what has to be moved sideways to be seen. */
const hiddenWidth = (it: unknown) => {
  const { scrollWidth, clientWidth } = it as { scrollWidth: number; clientWidth: number };
  return scrollWidth - clientWidth;
};

async function sendPages(pages: number) {
  const number = nextNumber();
  const text = Array.from({ length: pages }, (_, index) => `page ${index + 1}`).join('\f');
  const answer = await webConsole.gateway.sendForm({ to: number.e164 }, [textFile(text)]);
  const { id } = (await answer.json()) as Fax;
  await webConsole.gateway.processAll();
  const { provider_sid } = await webConsole.gateway.fax(id);
  webConsole.gateway.emulator.complete(String(provider_sid), { status: 'success', pages });
  await webConsole.gateway.request('POST', `/fax/${id}/refresh`);
  return number;
}

test('rule (screens): the pages of a sent fax stand between list and details, read with the keys of the Inbox', async (context) => {
  const second = await sendPages(2);
  const first = await sendPages(4);
  const { page } = await webConsole.open(context, { path: '/sent' });
  await rowOf(page, first.shown).click();
  await details(page).getByRole('button', { name: 'Pages', exact: true }).click();
  await expect.poll(() => pageName(page, 4)).toBe('Page 1 of 4');
  await reader(page).getByRole('img').first().waitFor();
  const [list, pages, facts] = await Promise.all(
    [page.getByRole('grid'), reader(page), details(page)].map((it) => it.boundingBox()),
  );
  expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual((pages?.x ?? 0) + 1);
  expect((pages?.x ?? 0) + (pages?.width ?? 0)).toBeLessThanOrEqual((facts?.x ?? 0) + 1);
  expect(pages?.width).toBeGreaterThan(420);
  for (const [key, shown] of [
    ['PageDown', 'Page 2 of 4'],
    ['ArrowRight', 'Page 3 of 4'],
    ['End', 'Page 4 of 4'],
    ['PageUp', 'Page 3 of 4'],
    ['Home', 'Page 1 of 4'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => pageName(page, 4), { message: key }).toBe(shown);
  }
  await page.keyboard.press('r');
  await reader(page).locator('[data-page="1"][data-turns="1"]').waitFor();
  await expectAccessible(page);
  // Only J and K open another fax, and its pages come with it.
  await page.keyboard.press('j');
  await expect.poll(() => pageName(page, 2)).toBe('Page 1 of 2');
  await page.reload();
  await expect.poll(() => pageName(page, 2)).toBe('Page 1 of 2');
  await reader(page).getByRole('button', { name: 'Hide the pages' }).click();
  await reader(page).waitFor({ state: 'detached' });
  // Without the pages the key sends again, as the button shows.
  await page.keyboard.press('r');
  // The address that names the fax is replaced at once.
  const send = await new SendPage(page).opened();
  await page.getByText(/^This fax was already delivered/u).waitFor();
  await expect.poll(() => send.to.inputValue()).toBe(second.shown);
});

test('below 1200 px the pages take the place of the list, below 900 px that of the details as well', async (context) => {
  const number = await sendPages(2);
  const { page } = await webConsole.open(context, {
    path: '/sent',
    viewport: { width: 1024, height: 700 },
  });
  await rowOf(page, number.shown).click();
  await details(page).getByRole('button', { name: 'Pages', exact: true }).click();
  await expect.poll(() => pageName(page, 2)).toBe('Page 1 of 2');
  await page.getByRole('grid').waitFor({ state: 'hidden' });
  await expectAccessible(page);
  await page.setViewportSize({ width: 820, height: 700 });
  await details(page).waitFor({ state: 'hidden' });
  await expectAccessible(page);
  await reader(page).getByRole('button', { name: 'Hide the pages' }).click();
  await details(page).waitFor();
});

test('who may not open documents reads why there are no pages', async (context) => {
  const number = await sendPages(1);
  const key = await webConsole.keyWith('fax:read');
  const { page } = await webConsole.open(context, { path: '/sent', as: { key } });
  await rowOf(page, number.shown).click();
  await details(page).getByRole('button', { name: 'Pages', exact: true }).click();
  await reader(page).getByText('You do not have permission to open documents').waitFor();
  await expectAccessible(page);
});

test('the list beside the pages is made wider and narrower by pointer and keyboard, for the person and for good', async (context) => {
  const number = await sendPages(1);
  const { page } = await webConsole.open(context, { path: '/sent' });
  await rowOf(page, number.shown).click();
  const line = page.getByRole('separator', { name: 'Width of the list' });
  // Without pages the details are as wide as they need.
  expect(await line.count()).toBe(0);
  await details(page).getByRole('button', { name: 'Pages', exact: true }).click();
  await reader(page).getByRole('img').first().waitFor();
  const width = async () => Math.round((await page.getByRole('grid').boundingBox())?.width ?? 0);
  const first = await width();
  // All columns are in view, and nothing has to be moved sideways for them.
  expect(await page.getByRole('grid').evaluate(hiddenWidth)).toBe(0);
  await line.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(width).toBe(first + 16);
  const place = await line.boundingBox();
  await page.mouse.move((place?.x ?? 0) + 4, 400);
  await page.mouse.down();
  await page.mouse.move((place?.x ?? 0) - 12, 400, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBe(first);
  await line.press('End');
  const widest = await width();
  expect(widest).toBeGreaterThan(first);
  // A page can still be read, and the details are whole.
  expect((await reader(page).boundingBox())?.width).toBeGreaterThanOrEqual(420);
  expect((await details(page).boundingBox())?.width).toBeGreaterThanOrEqual(340);
  await expectAccessible(page);
  await page.reload();
  await reader(page).getByRole('img').first().waitFor();
  await expect.poll(width).toBe(widest);
  await line.press('Enter');
  await expect.poll(width).toBe(first);
  await page.setViewportSize({ width: 1024, height: 700 });
  await line.waitFor({ state: 'hidden' });
});
