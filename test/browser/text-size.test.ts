import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { everyScreen, goTo, PageIdle } from './every-screen.ts';
import { RECEIVING } from './inbox-page.ts';
import { letter, SendPage } from './send-page.ts';
import { layoutFaults } from './small-window.ts';

const SMALLEST = { width: 1024, height: 700 } as const;
const LARGE = { width: 1440, height: 900 } as const;

let screens: Awaited<ReturnType<typeof everyScreen>>;
const SETTINGS = { ...RECEIVING, FAX_DEFAULT_COUNTRY: 'US' };
const webConsole = testConsole({ settings: SETTINGS }, async (furnished) => {
  screens = await everyScreen(furnished);
});

const sizeOf = (page: Page) => page.evaluate('getComputedStyle(document.body).fontSize');

async function choose(page: Page, size: string): Promise<void> {
  await page.getByRole('button', { name: /Text size/u }).press('Enter');
  await page.getByRole('option', { name: size, exact: true }).press('Enter');
  await page.getByText(`Text size: ${size}.`).waitFor({ state: 'attached' });
}

test('texts have the size that the person chose for this computer, also after the page is loaded again', async (context) => {
  const { page } = await webConsole.open(context, { path: '/my-settings' });
  await page.getByRole('button', { name: /Text size/u }).waitFor();
  expect(await sizeOf(page)).toBe('14px');
  await choose(page, 'Large');
  expect(await sizeOf(page)).toBe('15.75px');
  await choose(page, 'Larger');
  expect(await sizeOf(page)).toBe('17.5px');
  await expectAccessible(page);
  await page.reload();
  await page.getByRole('button', { name: /Larger.*Text size|Text size.*Larger/u }).waitFor();
  expect(await sizeOf(page)).toBe('17.5px');
  await page.getByRole('button', { name: /: account$/u }).press('Enter');
  await page.getByRole('menuitem', { name: 'Switch person' }).press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await sizeOf(page)).toBe('14px');
});

test('rule (screens): no screen cuts anything off while its texts are larger', async (context) => {
  const { page } = await webConsole.open(context, { path: '/my-settings', viewport: SMALLEST });
  await choose(page, 'Larger');
  await goTo(page, '/send', 'Drop files here');
  const send = await new SendPage(page).opened();
  await send.number('202 555 0183');
  await send.add(letter());
  await send.drawn();
  const idle = new PageIdle(page);
  const faults: string[] = [];
  for (const [path, shows] of screens) {
    await goTo(page, path, shows);
    for (const viewport of [SMALLEST, LARGE]) {
      await page.setViewportSize(viewport);
      await idle.settled();
      for (const fault of await layoutFaults(page)) faults.push(`${viewport.width} ${path}: ${fault}`);
    }
    await page.setViewportSize(SMALLEST);
  }
  expect(faults).toEqual([]);
}, 480_000);
