import type { Page } from 'playwright';
import { expect, test, vi } from 'vitest';
import type { Person } from '../setup/mailbox-people.ts';
import { MINUTE, SECOND } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { arrive, list, nextSender, RECEIVING, rowOf, viewer } from './inbox-page.ts';
import { colleague, itemFrom, itemOf, openItem } from './work-page.ts';

vi.setConfig({ testTimeout: 60_000 });

let jonas: Person;
const webConsole = testConsole({ settings: RECEIVING }, async (furnished) => {
  jonas = await colleague(furnished, 'Jonas Tveit');
});

/** A new fax, with its number as it is shown and its ids. */
async function newFax() {
  const { e164, shown } = nextSender();
  webConsole.gateway.clock.advance(SECOND);
  await arrive(webConsole, { from: e164 });
  return { shown, ...(await itemFrom(webConsole, shown)) };
}

const inRow = (page: Page, shown: string) =>
  rowOf(page, shown).getByRole('img', { name: 'Open: Jonas Tveit' });
const atPage = (page: Page) => viewer(page).getByText('Jonas Tveit has it open too');

test('rule (screens): who else has a fax open stands in its row and at its pages, and is gone when they leave', async (context) => {
  const fax = await newFax();
  const { page } = await webConsole.open(context, { path: `/inbox/${fax.inbound_fax_id}` });
  await list(page).waitFor();
  expect(await inRow(page, fax.shown).count()).toBe(0);
  const other = await webConsole.open(context, {
    path: `/work/${fax.id}?view=unassigned`,
    as: { key: jonas.key },
  });
  await inRow(page, fax.shown).waitFor();
  await atPage(page).waitFor();
  await expectAccessible(page);
  // They see this window as well: in the queue, and at the fax.
  await itemOf(other.page, fax.shown).getByRole('img', { name: 'Open: Mara Okafor' }).waitFor();
  await openItem(other.page).getByText('Mara Okafor has it open too').waitFor();
  await openItem(other.page).getByRole('button', { name: 'Back to the list' }).click();
  await inRow(page, fax.shown).waitFor({ state: 'detached' });
  await atPage(page).waitFor({ state: 'detached' });
});

test('a window that closes is gone at once, and locks nothing while it is there', async (context) => {
  const fax = await newFax();
  const { page } = await webConsole.open(context, { path: '/inbox' });
  const other = await webConsole.open(context, {
    path: `/inbox/${fax.inbound_fax_id}`,
    as: { key: jonas.key },
  });
  await inRow(page, fax.shown).waitFor();
  await rowOf(page, fax.shown).click();
  await viewer(page).getByRole('button', { name: /^Take/u }).click();
  await expect.poll(async () => (await itemFrom(webConsole, fax.shown)).owner?.name).toBe('Mara Okafor');
  await other.page.close({ runBeforeUnload: true });
  await inRow(page, fax.shown).waitFor({ state: 'detached' });
});

test('a person who does nothing for two minutes is gone, and back when they move', async (context) => {
  const fax = await newFax();
  const { page } = await webConsole.open(context, { path: '/inbox' });
  const other = await webConsole.open(context, {
    path: `/inbox/${fax.inbound_fax_id}`,
    as: { key: jonas.key },
    prepare: (window) => window.clock.install(),
  });
  await viewer(other.page).waitFor();
  await other.page.clock.runFor(2 * SECOND);
  await inRow(page, fax.shown).waitFor();
  await other.page.clock.fastForward(2 * MINUTE);
  await inRow(page, fax.shown).waitFor({ state: 'detached' });
  await other.page.mouse.move(200, 200);
  await other.page.mouse.move(220, 220);
  await other.page.clock.runFor(2 * SECOND);
  await inRow(page, fax.shown).waitFor();
});
