import type { Page } from 'playwright';
import { expect, test, vi } from 'vitest';
import { SECOND } from '../setup/manual-clock.ts';
import { testConsole } from './console.ts';
import { arrive, RECEIVING } from './inbox-page.ts';
import {
  DeskPerson,
  differencesFrom,
  KEYS_OF,
  reactionsInWords,
  SHIFT,
  SHIFT_FAXES,
  workShift,
} from './shift.ts';
import { colleague, items, tab } from './work-page.ts';

vi.setConfig({ testTimeout: 180_000 });

const webConsole = testConsole({ settings: RECEIVING });
const read = async <T>(path: string) => (await (await webConsole.gateway.request('GET', path)).json()) as T;

const ready = (page: Page) => items(page).getByRole('row').nth(SHIFT_FAXES).waitFor();

test('rule (screens): after a shift of twenty faxes by two people every fax is exactly what they made of it', async (context) => {
  const jonas = await colleague(webConsole, 'Jonas Tveit');
  for (let n = 0; n < SHIFT_FAXES; n += 1) {
    webConsole.gateway.clock.advance(SECOND);
    await arrive(webConsole, { from: `+12025550${100 + n}` });
  }
  const mine = await webConsole.open(context, { path: '/work' });
  const theirs = await webConsole.open(context, { path: '/work', as: { key: jonas.key } });
  for (const { page } of [mine, theirs]) await ready(page);
  const people = [new DeskPerson(mine.page, 'Mara Okafor'), new DeskPerson(theirs.page, 'Jonas Tveit')];
  const began = performance.now();
  await workShift(people);
  // The last act of each person is on its way while the list is read.
  await expect.poll(() => differencesFrom(people, read)).toEqual([]);
  for (const { page } of people) await expect.poll(() => tab(page, 'To do').textContent()).toMatch(/\D0$/u);
  // No key was needed beside those of the routines: opening the first fax, and moving to the lower half.
  const keys = SHIFT.map((routines, n) => {
    const routine = routines.reduce((sum, name) => sum + KEYS_OF[name], 0);
    return routine + 2 + (n === 0 ? 0 : SHIFT_FAXES / 2);
  });
  expect(people.map((person) => person.keys)).toEqual(keys);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stdout.write(`${SHIFT_FAXES} faxes in ${seconds} s; ${reactionsInWords(people)}\n`);
});
