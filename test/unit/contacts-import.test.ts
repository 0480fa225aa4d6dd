import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readLines } from '../../server/features/contacts/import/import.ts';
import { LIMITS } from '../../shared/limits.ts';

const COLUMNS = 500;

/** Counts the turns of the event loop, in each of which requests are answered, until the work ends. */
async function turnsUntilEnd(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const ended = Symbol('ended');
  const end = work.then(() => ended);
  while ((await Promise.race([end, setImmediate()])) !== ended) turns += 1;
  return turns;
}

describe('an import of contacts', () => {
  const head = `Name,${'Fax,'.repeat(COLUMNS - 2)}Note`;
  it.each([
    ['of empty columns', head, ','.repeat(COLUMNS - 1)],
    ['of columns that all may hold the number', head, `A${','.repeat(COLUMNS - 2)}1,`],
    ['of short lines', 'Name,Fax', 'A,'],
    ['of one long value', 'Name,Fax', `"${'\n"",'.repeat(LIMITS.contactsFileBytes / 5)}"`],
  ])('lets other requests be answered while it reads a file %s', async (_, first, line) => {
    const most = Math.min(20_000, Math.floor((LIMITS.contactsFileBytes - first.length) / (line.length + 1)));
    const csv = `${first}\n${`${line}\n`.repeat(most)}`;
    const context = { country: 'US', mailboxOf: () => null, routeOf: () => null };
    const report = { left_out: 0, problems: [], remarks: [] };
    const work = readLines(new TextEncoder().encode(csv), context, report);
    expect(await turnsUntilEnd(work)).toBeGreaterThanOrEqual(2 + csv.length / 60_000);
  });
});
