import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import {
  arrive,
  details,
  list,
  nextSender,
  openDetails,
  RECEIVING,
  rowOf,
  shownPage,
  viewer,
} from './inbox-page.ts';
import { walkKeys } from './key-walk.ts';
import { arriveMany, itemFrom, itemOf, items, openSender, stateRegion } from './work-page.ts';

const webConsole = testConsole({ settings: RECEIVING });

const PAGE_KEYS = ['PageDown', 'Space', 'End', 'ArrowDown', 'ArrowRight', 'PageUp', 'Shift+Space', 'Home'];

/** The page that is in view, by its name for screen readers. */
const pageOf = (page: Page, count: number) =>
  viewer(page)
    .getByRole('group', { name: new RegExp(`^Page \\d+ of ${count}$`, 'u') })
    .getAttribute('aria-label');

/**
 * In the page: scrolls on, and presses Home in the moment in which another page is named as the current one. Naming it takes
 * as long as on a slow computer, so that React leaves what follows it for later.
 */
const HOME_DURING_SCROLL = `new Promise((done) => {
  const frame = document.querySelector('[role=group][aria-label="Page 1 of 4"]');
  frame.setAttribute = (name, value) => {
    Element.prototype.setAttribute.call(frame, name, value);
    for (const began = performance.now(); performance.now() - began < 20; );
  };
  new MutationObserver((_, observer) => {
    observer.disconnect();
    delete frame.setAttribute;
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true, cancelable: true }));
    setTimeout(done, 500);
  }).observe(frame, { attributeFilter: ['aria-label'] });
  frame.scrollTop = frame.scrollHeight / 2;
})`;

async function opensLongFax(...[context]: [Parameters<typeof webConsole.open>[0]]) {
  const [first, second] = [nextSender(), nextSender()];
  await arrive(webConsole, { from: second.e164, pages: 4 });
  await arrive(webConsole, { from: first.e164, pages: 4 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await rowOf(page, first.shown).click();
  await shownPage(page);
  return { page, first, second };
}

const heading = (page: Page) => viewer(page).getByRole('heading', { level: 2 }).textContent();

describe('rule (screens): keys that read a fax never open another one', () => {
  test('wherever the focus is in the Inbox', async (context) => {
    const { page, first, second } = await opensLongFax(context);
    await openDetails(page);
    const places = {
      list: () => list(page).focus(),
      drawer: () => details(page).getByRole('group', { name: 'Details' }).focus(),
      'no place': () => page.evaluate('document.activeElement.blur()'),
      pages: () =>
        viewer(page)
          .getByRole('group', { name: /^Page \d/u })
          .focus(),
    };
    for (const [place, focus] of Object.entries(places)) {
      await focus();
      for (const key of PAGE_KEYS) {
        await page.keyboard.press(key);
        expect([place, key, await heading(page)]).toEqual([place, key, first.shown]);
      }
      await expect.poll(() => pageOf(page, 4)).toBe('Page 1 of 4');
      await page.keyboard.press('End');
      await expect.poll(() => pageOf(page, 4), { message: place }).toBe('Page 4 of 4');
      for (const key of ['Space', 'Space', 'Space', 'PageDown', 'ArrowRight']) await page.keyboard.press(key);
      await expect.poll(() => pageOf(page, 4)).toBe('Page 4 of 4');
      expect(await heading(page)).toBe(first.shown);
      await page.keyboard.press('PageUp');
      await expect.poll(() => pageOf(page, 4), { message: place }).toBe('Page 3 of 4');
      await page.keyboard.press('Home');
      await expect.poll(() => pageOf(page, 4), { message: place }).toBe('Page 1 of 4');
    }
    await list(page).focus();
    await page.keyboard.press('j');
    await expect.poll(() => heading(page)).toBe(second.shown);
    await page.keyboard.press('k');
    await expect.poll(() => heading(page)).toBe(first.shown);
  });

  test('and a key that comes while the page before is still being shown is not taken back', async (context) => {
    const { page } = await opensLongFax(context);
    await page.evaluate(HOME_DURING_SCROLL);
    expect(await pageOf(page, 4)).toBe('Page 1 of 4');
  });

  test('Space presses a button that has the focus, and writes in a field', async (context) => {
    const { page, first } = await opensLongFax(context);
    const button = viewer(page).getByRole('button', { name: 'Details' });
    await openDetails(page);
    await button.focus();
    await page.keyboard.press('Space');
    await details(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Space');
    await details(page).waitFor();
    expect(await pageOf(page, 4)).toBe('Page 1 of 4');
    await page.keyboard.press('d');
    const note = page.getByRole('textbox', { name: 'Note when done' });
    await note.waitFor();
    await page.keyboard.type('to the chart');
    for (const key of ['Home', 'ArrowRight', 'End', 'Space']) await page.keyboard.press(key);
    expect(await note.inputValue()).toBe('to the chart ');
    expect([await pageOf(page, 4), await heading(page)]).toEqual(['Page 1 of 4', first.shown]);
  });

  test('a fax of the work queue is finished after its pages were read, and it is that one', async (context) => {
    const [first = '?', second = '?'] = await arriveMany(webConsole, 2);
    const { page } = await webConsole.open(context, { path: '/work?view=unassigned' });
    await itemOf(page, first).click();
    await expect.poll(() => openSender(page).textContent()).toBe(first);
    await stateRegion(page).getByText('Nobody').waitFor();
    await items(page).focus();
    for (const key of [...PAGE_KEYS, 'PageDown', 'Space']) await page.keyboard.press(key);
    expect(await openSender(page).textContent()).toBe(first);
    await page.keyboard.press('d');
    await page.keyboard.type('Filed.');
    await page.keyboard.press('Enter');
    await page.getByText(`You marked the fax from ${first} (1 page) as done.`).first().waitFor();
    expect((await itemFrom(webConsole, first)).state_key).toBe('done');
    expect((await itemFrom(webConsole, second)).state_key).toBe('waiting');
  });
});

test('the keys that find text search the list, and say that the text of pages cannot be searched', async (context) => {
  const [first = '', second = ''] = await arriveMany(webConsole, 2);
  for (const path of ['/inbox', '/work?view=all']) {
    const { page } = await webConsole.open(context, { path });
    const row = (shown: string) => page.getByRole('grid').getByRole('row').filter({ hasText: shown });
    await row(first).click();
    await viewer(page).getByRole('heading', { name: first }).waitFor();
    for (const key of ['Control+f', 'F3']) {
      await page.keyboard.press(key);
      await page.getByText('Pages are pictures: their text cannot be searched.').waitFor();
      await page.keyboard.type(second.slice(-4));
      await row(first).waitFor({ state: 'detached' });
      await row(second).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await row(first).waitFor();
      await row(first).click();
      await page
        .getByText('Pages are pictures: their text cannot be searched.')
        .waitFor({ state: 'detached' });
    }
  }
});

test('where the open fax leaves no room for the list, its search keys open the search of everything', async (context) => {
  const [first = ''] = await arriveMany(webConsole, 1);
  const { page } = await webConsole.open(context, {
    path: '/work?view=all',
    viewport: { width: 1024, height: 700 },
  });
  await itemOf(page, first).click();
  await expect.poll(() => openSender(page).textContent()).toBe(first);
  for (const key of ['/', 'Control+f']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog', { name: 'Search or run an action' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});

test('rule (screens): no fax is in view while keys apply to rows that are chosen', async (context) => {
  const [first = '?', second = '?'] = await arriveMany(webConsole, 2);
  const { page } = await webConsole.open(context, { path: '/work?view=unassigned' });
  await itemOf(page, first).click();
  await expect.poll(() => openSender(page).textContent()).toBe(first);
  await page.keyboard.press('x');
  await page.getByRole('heading', { name: '1 fax selected' }).waitFor();
  expect(await openSender(page).count()).toBe(0);
  await expectAccessible(page);
  await page.keyboard.press('x');
  await expect.poll(() => openSender(page).textContent()).toBe(first);
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: '1 fax selected' }).waitFor();
  await page.keyboard.press('o');
  await page.getByText(`You took the fax from ${first} (1 page).`).first().waitFor();
  expect((await itemFrom(webConsole, second)).owner).toBeNull();
});

test('after ten seconds a change says that it cannot be undone any more', async (context) => {
  const [first = '?'] = await arriveMany(webConsole, 2);
  const { page } = await webConsole.open(context, {
    path: '/work?view=unassigned',
    prepare: (it) => it.clock.install(),
  });
  await itemOf(page, first).click();
  await stateRegion(page).getByText('Nobody').waitFor();
  await page.keyboard.press('o');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.clock.runFor(11_000);
  await page.getByText('You can no longer undo it, because 10 seconds have passed.').waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await page.keyboard.press('u');
  await page
    .getByText('Nothing was undone: a change can be undone for 10 seconds.')
    .waitFor({ state: 'attached' });
  expect((await itemFrom(webConsole, first)).owner?.name).toBe('Mara Okafor');
  await page.clock.runFor(21_000);
  await page
    .getByText('You can no longer undo it, because 10 seconds have passed.')
    .waitFor({ state: 'detached' });
});

test('rule (screens): no key changes, finishes or sends another fax than the one in view [random keys]', async (context) => {
  await arriveMany(webConsole, 6);
  await arrive(webConsole, { from: nextSender().e164, pages: 5 });
  const { page, complaints } = await webConsole.open(context, { path: '/work?view=all' });
  complaints.allow('409 ', 'GET /fax/preview');
  const { gateway } = webConsole;
  const seed = 11;
  const { changes, faults } = await walkKeys({ page, gateway, seed, keys: 400 });
  expect(faults, `seed ${seed}: ${faults.join('; ')}`).toEqual([]);
  // A walk that changes nothing proves nothing.
  for (const kind of ['work', 'inbound', 'accepted'] as const)
    expect(changes[kind], `seed ${seed}: ${kind}`).toBeGreaterThan(0);
});
