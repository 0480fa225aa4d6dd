import { expect, test, vi } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { RECEIVING } from './inbox-page.ts';
import { arriveMany, itemFrom, itemOf, items, openItem } from './work-page.ts';

vi.setConfig({ testTimeout: 60_000 });

const webConsole = testConsole({ settings: RECEIVING });

test('a finished item is found by its note in the list and the palette, and reopened', async (context) => {
  const { gateway } = webConsole;
  const [shown = '', other = ''] = await arriveMany(webConsole, 2);
  const { id, version } = await itemFrom(webConsole, shown);
  const done = await gateway.request('POST', `/work/${id}/done`, {
    json: { version, note: 'Filed under Nilsen' },
  });
  expect(done.status).toBe(200);
  const { page } = await webConsole.open(context, { path: '/work?view=all' });
  await itemOf(page, other).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('nilsen');
  await itemOf(page, other).waitFor({ state: 'detached' });
  await itemOf(page, shown).waitFor();
  await expectAccessible(page);
  expect(page.url()).toContain('q=nilsen');
  await page.keyboard.press('Escape');
  await itemOf(page, other).waitFor();

  await page.goto('/admin/ui/settings');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search or run an action' });
  await palette.waitFor();
  await page.keyboard.type('nilsen');
  await palette.getByRole('menuitem', { name: /Filed under Nilsen/u }).click();
  await openItem(page)
    .getByRole('button', { name: /^Reopen/u })
    .click();
  await expect.poll(async () => (await itemFrom(webConsole, shown)).state_key).toBe('waiting');
});

test('finished faxes have a view of their own, are found by every note, and reopened there', async (context) => {
  const { gateway } = webConsole;
  const [shown = '', other = ''] = await arriveMany(webConsole, 2);
  const act = async (name: string, note: string) => {
    const { id, version } = await itemFrom(webConsole, shown);
    const answer = await gateway.request('POST', `/work/${id}/${name}`, { json: { version, note } });
    expect(answer.status).toBe(200);
  };
  await act('notes', 'Asked Dr. Lindqvist for page two');
  await act('done', 'Filed in the chart');
  const { page } = await webConsole.open(context, { path: '/work' });
  await itemOf(page, other).waitFor();
  expect(await itemOf(page, shown).count()).toBe(0);
  await page.keyboard.press('6');
  await itemOf(page, shown).getByText('Filed in the chart').waitFor();
  expect(await itemOf(page, other).count()).toBe(0);
  expect(page.url()).toContain('view=done');
  await expectAccessible(page);
  await page.keyboard.press('/');
  await page.keyboard.type('lindqvist');
  await expect.poll(() => items(page).getByRole('row').count()).toBe(2);
  await itemOf(page, shown).click();
  await openItem(page)
    .getByRole('button', { name: /^Reopen/u })
    .click();
  // It leaves the view of finished faxes and stays open beside it.
  await itemOf(page, shown).waitFor({ state: 'detached' });
  await expect.poll(async () => (await itemFrom(webConsole, shown)).state_key).toBe('waiting');
  await openItem(page).getByText('Asked Dr. Lindqvist for page two').waitFor();
});

test('nothing that fits says so, and the filters are cleared by one press', async (context) => {
  await arriveMany(webConsole, 1);
  const { page } = await webConsole.open(context, { path: '/work?view=all&q=no-such-thing' });
  await page.getByText('No work item matches these filters.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect.poll(() => items(page).getByRole('row').count()).toBeGreaterThan(0);
});
