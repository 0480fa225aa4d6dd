import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { expectAccessible, MARA, testConsole } from './console.ts';
import { arrive, list, nextSender, RECEIVING, rowOf, shownPage, viewer } from './inbox-page.ts';
import { itemOf, openItem } from './work-page.ts';

const webConsole = testConsole({ settings: RECEIVING });

interface Sized {
  readonly scrollTop: number;
  readonly clientHeight: number;
}

const frame = (page: Page) => viewer(page).getByRole('group', { name: /^Page \d/u });
const current = (page: Page) => viewer(page).locator('[data-current]');
const widthOf = async (page: Page) => (await current(page).boundingBox())?.width ?? 0;
const scrolled = (page: Page) => frame(page).evaluate((it) => (it as unknown as Sized).scrollTop);
const pageName = (page: Page) => frame(page).getAttribute('aria-label');

async function openFax(
  context: Parameters<typeof webConsole.open>[0],
  { pages, width = 1440, height = 900 }: { pages: number; width?: number; height?: number },
) {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164, pages });
  const { page } = await webConsole.open(context, { path: '/inbox', viewport: { width, height } });
  await rowOf(page, sender.shown).click();
  await shownPage(page);
  return { page, sender };
}

describe('the pages of a fax', () => {
  test('scroll in one column by wheel and keys, and the number of the page in view is shown', async (context) => {
    const { page } = await openFax(context, { pages: 30 });
    const number = viewer(page).getByRole('button', { name: '1 of 30' });
    await number.waitFor();
    await frame(page).hover();
    for (let turn = 0; turn < 12; turn += 1) await page.mouse.wheel(0, 400);
    await expect.poll(() => pageName(page)).not.toBe('Page 1 of 30');
    // Waits for the last turn of the wheel before a key is pressed.
    await expect.poll(() => scrolled(page)).toBeGreaterThan(4_700);
    await page.keyboard.press('Home');
    await expect.poll(() => scrolled(page)).toBeLessThan(2);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => scrolled(page)).toBeGreaterThan(20);
    await page.keyboard.press('Home');
    const screen = await frame(page).evaluate((it) => (it as unknown as Sized).clientHeight);
    await page.keyboard.press('Space');
    await expect.poll(() => scrolled(page)).toBeCloseTo(screen * 0.9, -1);
    await page.keyboard.press('Shift+Space');
    await expect.poll(() => scrolled(page)).toBeLessThan(2);
    await page.keyboard.press('PageDown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => pageName(page)).toBe('Page 3 of 30');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => pageName(page)).toBe('Page 2 of 30');
    await page.keyboard.press('Control+g');
    await viewer(page).getByRole('textbox', { name: 'Go to page' }).waitFor();
    await page.keyboard.type('17');
    await page.keyboard.press('Enter');
    await expect.poll(() => pageName(page)).toBe('Page 17 of 30');
    await frame(page).and(page.locator(':focus')).waitFor();
    await shownPage(page);
    await expectAccessible(page);
  });

  test('are shown in full width, whole, and in paper size', async (context) => {
    const { page } = await openFax(context, { pages: 3 });
    const isWhole = async () => {
      const [sheet, around] = [await current(page).boundingBox(), await frame(page).boundingBox()];
      return sheet && around && sheet.height <= around.height;
    };
    const wide = await widthOf(page);
    expect(await isWhole()).toBe(false);
    await page.keyboard.press('z');
    await expect.poll(isWhole).toBe(true);
    await page.keyboard.press('z');
    await expect.poll(() => widthOf(page)).toBeCloseTo(816, 0);
    await page.keyboard.press('+');
    await viewer(page).getByText('125%').waitFor();
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    await viewer(page).getByText('75%').waitFor();
    await page.keyboard.press('Control+2');
    await expect.poll(() => widthOf(page)).toBeCloseTo(wide, 0);
    await page.keyboard.press('Control+0');
    await expect.poll(isWhole).toBe(true);
    await frame(page).hover();
    const before = await widthOf(page);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -120);
    await page.keyboard.up('Control');
    await expect.poll(() => widthOf(page)).toBeGreaterThan(before * 1.2);
    expect(await pageName(page)).toBe('Page 1 of 3');
  });

  test('are drawn in the resolution of the screen, so that no line disappears', async (context) => {
    const { page } = await openFax(context, { pages: 2 });
    const pixelRatio = async () =>
      (await shownPage(page)).evaluate((it) => {
        const { width, clientWidth } = it as unknown as { width: number; clientWidth: number };
        return width / clientWidth;
      });
    expect(await pixelRatio()).toBeLessThan(1.34);
    const wide = await widthOf(page);
    await page.keyboard.press('Control+0');
    await expect.poll(() => widthOf(page)).toBeLessThan(wide * 0.8);
    await expect.poll(pixelRatio).toBe(1);
  });

  test('are large enough to be read beside the list, in a large and a small window', async (context) => {
    const { page, sender } = await openFax(context, { pages: 2 });
    expect(await widthOf(page)).toBeGreaterThan(720);
    await page.goto('/admin/ui/work?view=all');
    await itemOf(page, sender.shown).click();
    await shownPage(page);
    expect(await widthOf(page)).toBeGreaterThan(640);
    const small = await openFax(context, { pages: 2, width: 1024, height: 700 });
    expect(await widthOf(small.page)).toBeGreaterThan(590);
    await expectAccessible(small.page);
  });

  test('are shown one at a time when a person chooses that', async (context) => {
    const { page } = await openFax(context, { pages: 4 });
    await page.keyboard.press('c');
    await expect.poll(() => viewer(page).locator('[data-page]').count()).toBe(1);
    for (let press = 0; press < 12; press += 1) await page.keyboard.press('Space');
    await expect.poll(() => pageName(page)).toBe('Page 4 of 4');
    await page.keyboard.press('Home');
    await expect.poll(() => pageName(page)).toBe('Page 1 of 4');
    await page.keyboard.press('c');
    await expect.poll(() => viewer(page).locator('[data-page]').count()).toBe(4);
  });

  test('have small pictures that open a page and can be hidden', async (context) => {
    const { page } = await openFax(context, { pages: 12 });
    const thumbs = page.getByRole('navigation', { name: 'Pages' });
    await thumbs.getByRole('button', { name: 'Page 4' }).click();
    await expect.poll(() => pageName(page)).toBe('Page 4 of 12');
    await page.keyboard.press('t');
    await expect.poll(() => thumbs.count()).toBe(0);
    await page.reload();
    await shownPage(page);
    expect(await thumbs.count()).toBe(0);
  });
});

test('a page that one person rotates stays rotated for everyone, and its document is unchanged', async (context) => {
  const { page, sender } = await openFax(context, { pages: 3 });
  const isUpright = async (of: Page) => {
    const place = await (await shownPage(of)).boundingBox();
    return place !== null && place.height > place.width;
  };
  const before = await pdfOf(page);
  await page.keyboard.press('r');
  await expect.poll(() => isUpright(page)).toBe(false);
  const thumb = page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Page 1' });
  await expect.poll(() => thumb.locator('[data-turns="1"]').count()).toBe(1);
  const other = await webConsole.open(context, { path: '/work?view=all', as: MARA });
  await itemOf(other.page, sender.shown).click();
  await expect.poll(() => isUpright(other.page)).toBe(false);
  await page.keyboard.press('PageDown');
  await expect.poll(() => isUpright(page)).toBe(true);
  await page.keyboard.press('Alt+r');
  await expect.poll(() => isUpright(page)).toBe(false);
  await page.keyboard.press('PageUp');
  await expect.poll(() => isUpright(page)).toBe(true);
  await expect.poll(() => isUpright(other.page)).toBe(true);
  await page.keyboard.press('Shift+R');
  await expect.poll(() => isUpright(other.page)).toBe(false);
  await page.reload();
  await expect.poll(() => isUpright(page)).toBe(false);
  expect(await pdfOf(page)).toEqual(before);
});

async function pdfOf(page: Page): Promise<Buffer> {
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const answer = await webConsole.gateway.request('GET', `/inbound/${id}/pdf`);
  return Buffer.from(await answer.arrayBuffer());
}

test('the list is made wider and narrower by pointer and keyboard, and a reload keeps its width', async (context) => {
  const { page } = await openFax(context, { pages: 1 });
  const separator = page.getByRole('separator', { name: 'Width of the list' });
  const width = async () => Math.round((await list(page).boundingBox())?.width ?? 0);
  const first = await width();
  await separator.focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
  await expect.poll(width).toBe(first + 48);
  expect(await separator.getAttribute('aria-valuenow')).toBe(String(first + 48));
  await page.keyboard.press('ArrowLeft');
  await expect.poll(width).toBe(first + 32);
  const box = await separator.boundingBox();
  if (!box) throw new Error('no separator');
  await page.mouse.move(box.x + 4, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 64, box.y + 300, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBe(first + 92);
  await expectAccessible(page);
  await page.reload();
  await shownPage(page);
  await expect.poll(width).toBe(first + 92);
  await separator.focus();
  await page.keyboard.press('Home');
  await expect.poll(width).toBeLessThan(first);
  await page.keyboard.press('Enter');
  await expect.poll(width).toBe(first);
});

test('the pages of a document that arrived before show the state of the earlier one, and open it', async (context) => {
  const [first, again] = [nextSender(), nextSender()];
  for (const { e164 } of [first, again]) await arrive(webConsole, { from: e164, pages: 7 });
  const { page } = await webConsole.open(context, { path: '/work?view=all' });
  await itemOf(page, again.shown).click();
  await openItem(page)
    .getByText(/The earlier one: Waiting for an owner/u)
    .waitFor();
  await shownPage(page);
  await openItem(page).getByRole('button', { name: 'Show the first one' }).click();
  await openItem(page).getByRole('heading', { level: 2, name: first.shown }).waitFor();
});
