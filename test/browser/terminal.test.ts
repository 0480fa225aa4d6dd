import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';

/** Returns true when the element of a locator has the focus. */
const hasFocus = (locator: Locator) => locator.evaluate((it) => it.matches(':focus'));

const webConsole = testConsole({});

const printed = (page: Page) => page.locator('.xterm-rows').innerText();

describe('the console terminal', () => {
  test('opens, completes, runs and closes by keyboard alone', async (context) => {
    const { page } = await webConsole.open(context, { path: '/system/terminal' });
    await page.getByRole('button', { name: 'Open terminal' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open terminal' }).focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Terminal. F6 leaves it.' });
    await expect.poll(() => printed(page), { timeout: 40_000 }).toContain('faxdesk>');
    await expect.poll(() => hasFocus(field)).toBe(true);
    await page.keyboard.type('heal');
    await page.keyboard.press('Tab');
    await expect.poll(() => printed(page)).toContain('faxdesk> health');
    await page.keyboard.press('Enter');
    await expect.poll(() => printed(page)).toContain('The gateway is ready.');
    await expectAccessible(page);
    await page.keyboard.press('ArrowUp');
    await expect.poll(async () => (await printed(page)).split('faxdesk> health').length).toBe(3);
    await page.keyboard.press('Control+c');
    await page.keyboard.press('F6');
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Close terminal' }))).toBe(true);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect.poll(() => hasFocus(field)).toBe(true);
    await page.keyboard.type('exit');
    await page.keyboard.press('Enter');
    await page.getByText('The terminal was closed.').waitFor();
    const again = page.getByRole('button', { name: 'Open again' });
    await expect.poll(() => hasFocus(again)).toBe(true);
  });

  test('pastes, fits its window, and closes with its page', async (context) => {
    const { page } = await webConsole.open(context, { path: '/system/terminal' });
    await page.getByRole('button', { name: 'Open terminal' }).click();
    await expect.poll(() => printed(page), { timeout: 40_000 }).toContain('faxdesk>');
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'roles permissions');
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
    }`);
    await expect.poll(() => printed(page)).toContain('faxdesk> roles permissions');
    const isInside = () =>
      page.evaluate(`{
        const screen = document.querySelector('.xterm-screen').getBoundingClientRect();
        screen.right <= innerWidth && screen.bottom <= innerHeight && screen.height > 100;
      }`);
    await page.setViewportSize({ width: 1024, height: 700 });
    await expect.poll(isInside).toBe(true);
    const hint = (await page.getByText('F6 leaves the terminal.').boundingBox()) ?? { x: 0, width: 9_999 };
    expect(hint.x + hint.width).toBeLessThanOrEqual(1024);
    const closed = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.getByRole('link', { name: 'API', exact: true }).click();
    expect((await closed).url()).toContain('/console/terminals/');
  });
});
