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

test('nothing that fits says so, and the filters are cleared by one press', async (context) => {
  await arriveMany(webConsole, 1);
  const { page } = await webConsole.open(context, { path: '/work?view=all&q=no-such-thing' });
  await page.getByText('No work item matches these filters.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect.poll(() => items(page).getByRole('row').count()).toBeGreaterThan(0);
});
