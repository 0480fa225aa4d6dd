import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { MARA, testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const KNOWN = '+12025550183';
const webConsole = testConsole({ settings: { FAX_DEFAULT_COUNTRY: 'US' } }, ({ gateway }) =>
  markReached(gateway, KNOWN),
);

interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey?: boolean;
}

/** Menus and dialogs take half a minute to come, and what is closed before then takes as long to go. */
const slowly = (page: Page) =>
  page.evaluate(`document.documentElement.style.setProperty('--m-open', '30s linear')`);

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: `${MARA.name}: account` }).click();
  await page.getByRole('menu').waitFor();
}

/** Presses both keys one after the other before the page does anything else; answers whether files are then chosen. */
const pressTogether = (first: KeyPress, second: KeyPress) => `(() => {
  let isChoosing = false;
  const chosen = (event) => { isChoosing ||= event.target.id === 'send-files'; };
  document.addEventListener('click', chosen, { capture: true });
  for (const key of [${JSON.stringify(first)}, ${JSON.stringify(second)}])
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }));
  document.removeEventListener('click', chosen, { capture: true });
  return isChoosing;
})()`;
const CHOOSE: KeyPress = { key: 'o', code: 'KeyO', ctrlKey: true };

test('a key that is pressed right after a number was chosen from the list works', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  const chooser = await send.awaitChooser();
  await slowly(page);
  await send.to.pressSequentially('555 01');
  await page.getByRole('option', { name: '+1 202 555 0183' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+O');
  await (await chooser.opened).setFiles([letter()]);
  await send.row('letter').waitFor();
  await expect.poll(() => send.to.inputValue()).toBe('+1 202 555 0183');
});

test('the list of numbers has gone for the keys in the moment in which one is chosen', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.to.pressSequentially('555 01');
  await page.getByRole('option', { name: '+1 202 555 0183' }).waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(pressTogether({ key: 'Enter', code: 'Enter' }, CHOOSE))).toBe(true);
});

test('a menu has gone for the keys in the moment in which it is closed', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  await new SendPage(page).opened();
  await openMenu(page);
  const escape: KeyPress = { key: 'Escape', code: 'Escape' };
  expect(
    await page.evaluate(pressTogether({ key: 'Shift', code: 'ShiftLeft' }, CHOOSE)),
    'while it is open',
  ).toBe(false);
  expect(await page.evaluate(pressTogether(escape, CHOOSE)), 'when it is closed').toBe(true);
});

test('a shortcut works while a menu is closing', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  const chooser = await send.awaitChooser();
  await slowly(page);
  await openMenu(page);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('menu').count(), 'it is still drawn').toBe(1);
  await page.keyboard.press('Control+O');
  await (await chooser.opened).setFiles([letter()]);
  await send.row('letter').waitFor();
});

test('a plain key works while a menu is closing', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  await slowly(page);
  await openMenu(page);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('menu').count(), 'it is still drawn').toBe(1);
  await page.keyboard.press('n');
  await new SendPage(page).opened();
});
