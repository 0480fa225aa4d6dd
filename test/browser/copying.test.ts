import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { arrive, details, nextSender, openDetails, RECEIVING, rowOf } from './inbox-page.ts';

const webConsole = testConsole({ settings: RECEIVING });

const clipboard = (value: string) => `Object.defineProperty(navigator, 'clipboard', { value: ${value} })`;

const REFUSES = clipboard(
  `{ writeText: async () => { throw new DOMException('Write permission denied.', 'NotAllowedError'); } }`,
);
/** As for a page that comes by http from another computer. */
const NONE = clipboard('undefined');
const KEEPS = clipboard('{ writeText: async (text) => { window.kept = text; } }');

const SENTENCE = 'The browser does not allow this button to copy. The text is selected: press Ctrl+C.';

const selected = (page: Page) => page.evaluate('getSelection().toString()');

/** The person presses the keys, and this is what the browser copies. */
async function expectCopiedByKeys(page: Page, text: string | RegExp): Promise<void> {
  await page.evaluate(
    `document.addEventListener('copy', () => { window.taken = getSelection().toString(); })`,
  );
  await page.keyboard.press('Control+C');
  await expect.poll(() => page.evaluate('window.taken')).toMatch(text);
}

test('where the browser refuses to copy, the text is selected and a sentence says what to press', async (context) => {
  const { page } = await webConsole.open(context, { path: '/system/interface', script: REFUSES });
  const address = page.getByRole('group', { name: 'API address' });
  await address.getByRole('button', { name: 'Copy' }).press('Enter');
  await address.getByRole('alert').getByText(SENTENCE).waitFor();
  await expect.poll(() => selected(page)).toBe(webConsole.gateway.url);
  await expectCopiedByKeys(page, webConsole.gateway.url);
  expect(await address.getByRole('button').textContent()).toBe('Copy');
  await expectAccessible(page);
  // Pressed once more, it is selected once more.
  await page.evaluate('getSelection().removeAllRanges()');
  await address.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => selected(page)).toBe(webConsole.gateway.url);
});

test('where the browser has no clipboard, the whole fingerprint of a fax is shown and selected', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const { page } = await webConsole.open(context, { path: '/inbox', script: NONE });
  await rowOf(page, sender.shown).click();
  await openDetails(page);
  await details(page).getByRole('button', { name: 'Copy' }).click();
  await details(page).getByRole('alert').getByText(SENTENCE).waitFor();
  await expect.poll(() => selected(page)).toMatch(/^[0-9a-f]{64}$/u);
  await expectCopiedByKeys(page, /^[0-9a-f]{64}$/u);
  await expectAccessible(page);
});

test('what was copied is said to be, until the button is left', async (context) => {
  const { page } = await webConsole.open(context, { path: '/system/interface', script: KEEPS });
  const button = page.getByRole('group', { name: 'API address' }).getByRole('button');
  await button.click();
  await expect.poll(() => button.textContent()).toBe('Copied');
  expect(await page.evaluate('window.kept')).toBe(webConsole.gateway.url);
  await page.keyboard.press('Tab');
  await expect.poll(() => button.textContent()).toBe('Copy');
  expect(await page.getByText(SENTENCE).count()).toBe(0);
});
