import { expect, test } from 'vitest';
import { upgradedFolder } from '../setup/earlier-installation.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { testConsole } from './console.ts';
import { RECEIVING } from './inbox-page.ts';
import { details } from './sent-page.ts';
import { openItem, stateRegion } from './work-page.ts';

/** Faxes of the fixture: “weird” with 2 pages, and “success” with 7. */
const [UNRECORDED, DELIVERED] = ['4def3f097aec9fbf1cc5171450a22071', '9ea18fb4290645a90d0e9560ec622811'];

const webConsole = testConsole(async () => {
  const clock = new ManualClock();
  return { dataFolder: await upgradedFolder(clock), clock, settings: RECEIVING };
});

test('a sent fax of an earlier release shows no attempt and no pages that nobody recorded', async (context) => {
  const { page } = await webConsole.open(context, { path: `/sent/${UNRECORDED}` });
  await details(page).getByText('No attempt was recorded.').waitFor();
  const pips = details(page).getByRole('listitem').filter({ hasText: 'Page' });
  await expect.poll(() => pips.allTextContents()).toHaveLength(2);
  for (const pip of await pips.allTextContents()) expect(pip).toMatch(/unknown/iu);
  const row = page.getByRole('grid', { name: 'Sent faxes' }).getByRole('row').filter({ hasText: '555 1271' });
  await expect.poll(() => row.textContent()).toContain('? of 2');
  await page.goto(new URL(`/admin/ui/sent/${DELIVERED}`, page.url()).href);
  await details(page).getByText('No attempt was recorded.').waitFor();
  expect(await details(page).getByText('Nothing has been sent yet.').count()).toBe(0);
});

test('a work item of an earlier release is done, by nobody whom the window could name', async (context) => {
  const answer = await webConsole.gateway.request('GET', '/work?state=done&limit=1');
  const { items } = (await answer.json()) as { items: { id: string; done_by: unknown }[] };
  expect(items[0]?.done_by).toBeNull();
  const { page } = await webConsole.open(context, { path: `/work/${items[0]?.id}` });
  await openItem(page).waitFor();
  await expect
    .poll(() => stateRegion(page).textContent())
    .toMatch(/Received by an earlier release\s+Done (?!by\b)\S/u);
});
