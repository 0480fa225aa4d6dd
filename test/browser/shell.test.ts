import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { SendPage } from './send-page.ts';

const webConsole = testConsole();

const screen = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const NUMBER = '+12025550123';

test('the palette finds a screen and goes there', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await screen(page, 'Sent').waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('setti');
  await page.getByRole('menuitem', { name: 'Settings', exact: true }).waitFor();
  // While it is typed, the field still names an entry that has just left the list.
  await expect
    .poll(() =>
      page.evaluate(
        'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.id',
      ),
    )
    .toBeTruthy();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/admin\/ui\/settings/u);
});

test('the palette finds a fax by its number and opens it', async (context) => {
  const { id } = await webConsole.gateway.send({ to: NUMBER });
  const { page } = await webConsole.open(context, { path: '/send' });
  await screen(page, 'New fax').waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('2025550123');
  await page.getByRole('menuitem', { name: /To \+1 202 555 0123/u }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/ui/sent/${id}`);
});

/** Types into the palette and takes what is called so. */
async function take(page: Page, typed: string, name: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(typed);
  await page.getByRole('menuitem', { name }).first().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('the palette leads to every page and setting by name, to both lists, and to a fax to a typed number', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await screen(page, 'Sent').waitFor();
  const path = () => page.url().split('/admin/ui')[1];
  await take(page, 'backu', 'Backups');
  await expect.poll(path).toBe('/system/backups');
  await take(page, 'cleanup', 'Cleanup');
  await expect.poll(path).toBe('/settings/cleanup');
  await take(page, 'largest', /^Largest upload/u);
  const field = page.getByLabel('Largest upload');
  await expect.poll(() => field.and(page.locator(':focus')).count()).toBe(1);
  await take(page, '2025550123', 'All sent faxes with “2025550123”');
  await expect.poll(path).toMatch(/^\/sent\?q=.*2025550123/u);
  await take(page, '(202) 555-0177', 'Send a fax to +1 202 555 0177');
  const to = page.getByRole('combobox', { name: 'To' });
  await expect.poll(() => to.inputValue()).toBe('+1 202 555 0177');
  await expect.poll(() => to.and(page.locator(':focus')).count()).toBe(1);
});

test('a slash searches the list in front, and everything where there is none', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await screen(page, 'Sent').waitFor();
  await page.keyboard.press('/');
  await expect.poll(() => page.getByRole('searchbox').and(page.locator(':focus')).count()).toBe(1);
  await page.goto('/admin/ui/system/log');
  await page.getByText('Download the log').waitFor();
  await page.keyboard.press('/');
  await expect.poll(() => page.getByRole('searchbox').and(page.locator(':focus')).count()).toBe(1);
  await page.goto('/admin/ui/system/health');
  await page.getByText('Background work').waitFor();
  await page.keyboard.press('/');
  await page.getByRole('dialog', { name: 'Search or run an action' }).waitFor();
});

test('the question mark lists the keys that work here', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await screen(page, 'Sent').waitFor();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Shortcuts on this screen' });
  await keys.getByText('Next fax').waitFor();
  await keys.getByText('New fax').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect.poll(() => keys.count()).toBe(0);
});

test('rule (screens): every screen is reached by keyboard alone', async (context) => {
  const { page } = await webConsole.open(context);
  await screen(page, 'New fax').waitFor();
  await page.keyboard.press('Alt+2');
  await screen(page, 'Inbox').waitFor();
  await page.getByText('Receiving is off').waitFor();
  await page.keyboard.press('Alt+4');
  await screen(page, 'Sent').waitFor();
  await page.keyboard.press('Alt+6');
  await expect.poll(() => page.url()).toContain('/costs');
  await page.keyboard.press('Alt+7');
  await expect.poll(() => page.url()).toContain('/access');
  await page.keyboard.press('Alt+8');
  await expect.poll(() => page.url()).toContain('/settings');
  await page.keyboard.press('Alt+1');
  await screen(page, 'New fax').waitFor();
});

test('the first Tab offers to skip to the screen', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await screen(page, 'Sent').waitFor();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect.poll(() => skip.and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('screen');
});

test('a key that came before the screen was drawn takes the first Tab no further', async (context) => {
  await webConsole.gateway.send({ to: NUMBER });
  const { promise: isPressed, resolve: press } = Promise.withResolvers<void>();
  const { page } = await webConsole.open(context, {
    path: '/sent',
    prepare: (it) =>
      it.route('**/auth/me', async (route) => {
        await isPressed;
        await route.continue();
      }),
  });
  await page.keyboard.press('Tab');
  press();
  await page.getByRole('grid').waitFor();
  // The focus would be led into the list with the frames after it is drawn.
  await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
    requestAnimationFrame(() => setTimeout(done)))))`);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect.poll(() => skip.and(page.locator(':focus')).count()).toBe(1);
});

/** Run in the page: presses the key of the shortcuts in the moment in which the screen is drawn. */
const PRESS_WHEN_DRAWN = `new MutationObserver((_, observer) => {
  if (!document.querySelector('main h1')) return;
  observer.disconnect();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', shiftKey: true, bubbles: true, cancelable: true }));
}).observe(document, { childList: true, subtree: true })`;

test('a shortcut works from the moment in which its screen is drawn', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent', script: PRESS_WHEN_DRAWN });
  const keys = page.getByRole('dialog', { name: 'Shortcuts on this screen' });
  await keys.getByText('Next fax').waitFor();
});

test('an unknown address says that there is nothing and leads back', async (context) => {
  const { page } = await webConsole.open(context, { path: '/nowhere' });
  await page.getByText('Screen not found').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Go to the first screen' }).click();
  await screen(page, 'New fax').waitFor();
});

test('a gateway that was away is shown, and what happened meanwhile is there when it is back', async (context) => {
  // The list of a new gateway would be empty, and have no rows to count.
  await webConsole.gateway.send({ to: NUMBER });
  const { page, complaints } = await webConsole.open(context, { path: '/sent' });
  await screen(page, 'Sent').waitFor();
  await page.getByText('Sending works').waitFor();
  complaints.allow(
    'ERR_CONNECTION_REFUSED',
    'ERR_INCOMPLETE_CHUNKED_ENCODING',
    'ERR_CONNECTION_RESET',
    'ERR_EMPTY_RESPONSE',
  );
  const rows = page.getByRole('grid').getByRole('row');
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  const before = (await rows.count()) - 1;
  await webConsole.gateway.stop();
  await page.getByRole('status').filter({ hasText: 'Your drafts are safe.' }).waitFor();
  await expectAccessible(page);
  await webConsole.startGatewayAgain();
  await webConsole.gateway.send({ to: NUMBER });
  await expect.poll(() => rows.count()).toBe(before + 2);
  await page.getByText('Sending works').waitFor();
});

test('every screen works in a small window and magnified', async (context) => {
  const { page } = await webConsole.open(context);
  for (const viewport of [
    { width: 1024, height: 700 },
    { width: 720, height: 450 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto('/admin/ui/');
    await screen(page, 'New fax').waitFor();
    for (const keys of ['Alt+1', 'Alt+2', 'Alt+3', 'Alt+4', 'Alt+5', 'Alt+6', 'Alt+7', 'Alt+8', 'Alt+9']) {
      await page.keyboard.press(keys);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'))
        .toBe(true);
    }
  }
});

test('what is typed while the search loads goes into it, however long the screen below has been loading', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await screen(page, 'Sent').waitFor();
  const typed = Promise.withResolvers<void>();
  await page.route(/\/assets\/palette-[^/]+\.js$/u, async (route) => {
    await typed.promise;
    await route.continue();
  });
  // A screen that opens gets the keyboard some frames later: here none is drawn for four seconds.
  await page.evaluate(`
    const [frame, now] = [window.requestAnimationFrame.bind(window), performance.now.bind(performance)];
    const waiting = [];
    window.requestAnimationFrame = (work) => waiting.push(work);
    window.drawFrames = () => {
      window.requestAnimationFrame = frame;
      waiting.forEach((work) => frame(work));
    };
    window.passTime = () => { performance.now = () => now() + 4_000; };
  `);
  await page.keyboard.press('Alt+2');
  await screen(page, 'Inbox').waitFor();
  await page.evaluate('passTime()');
  await page.keyboard.press('Control+K');
  await page.keyboard.type('no such action');
  typed.resolve();
  await page.evaluate('drawFrames()');
  const query = page.getByRole('dialog').locator('input');
  await expect.poll(() => query.inputValue().catch(() => null)).toBe('no such action');
  expect(new URL(page.url()).pathname).toBe('/admin/ui/inbox');
});

test('code that could not be loaded while the gateway was away is loaded again, and the screen stays', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('net::ERR_CONNECTION_REFUSED GET /admin/ui/assets/');
  const send = await new SendPage(page).opened();
  let refused = 0;
  await page.route(/\/assets\/(?:quoted-cost|inbox-screen)/u, (route) => {
    refused += 1;
    return refused <= 4 ? route.abort('connectionrefused') : route.continue();
  });
  await send.number('202 555 0123');
  await send.add({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('A letter.\n') });
  await send.drawn();
  await expect.poll(() => refused).toBe(5);
  expect(await send.to.inputValue()).toBe('202 555 0123');

  refused = 0;
  await page.evaluate('globalThis.isSamePage = true');
  await page.keyboard.press('Alt+2');
  await screen(page, 'Inbox').waitFor();
  expect(refused).toBeGreaterThan(4);
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  // Its styles came as well.
  await expect
    .poll(() =>
      page.evaluate(
        `[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet !== null)`,
      ),
    )
    .toBe(true);
});
