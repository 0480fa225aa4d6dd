import { expect, test } from 'vitest';
import { fuzzBackups } from './backups.ts';
import { tiffSubject } from './documents.ts';
import { fuzz } from './fuzz.ts';
import { printerSubject } from './printer.ts';
import { publicSubject } from './requests.ts';
import { routesSubject } from './routes.ts';
import { settingsSubject } from './settings.ts';
import { contactsSubject } from './uploads.ts';

/** Kinds of refusal that random requests to public routes get, some of them seldom. */
const REFUSALS = ['400', '401', '403', '404', '405', '413', '415', '421', '422'];

test('rule (api): random requests to public routes never hang, never get a 500, and leave no descriptor or file', async () => {
  const { requests, statuses, hung, failed, before, after } = await fuzz(
    publicSubject(),
    1,
    (done, seen) => done < 1200 || (done < 6000 && REFUSALS.some((status) => !(status in seen))),
  );
  expect({ hung, failed }).toEqual({ hung: [], failed: [] });
  // Every kind of refusal came up, so that the requests are what they are meant to be.
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', ...REFUSALS]));
  expect(requests).toBeGreaterThanOrEqual(1200);
  expect(after.workFiles).toBe(0);
  expect(after.descriptors ?? 0).toBeLessThanOrEqual(before.descriptors ?? 0);
  expect(after.usedMb).toBeLessThan(before.usedMb + 32);
}, 300_000);

test.each([
  ['TIFFs', tiffSubject],
  ['files of contacts', contactsSubject],
  ['settings', settingsSubject],
  ['requests to every route', routesSubject],
  ['requests to the printer', printerSubject],
] as const)(
  '%s that are broken at random are refused, and leave nothing',
  async (_name, create) => {
    const { statuses, hung, failed, before, after } = await fuzz(await create(), 1, (done) => done < 150, {
      isQuiet: true,
    });
    expect({ hung, failed }).toEqual({ hung: [], failed: [] });
    // Some were taken, so that the changes do not break everything in the same way.
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200']));
    expect(after.workFiles).toBeLessThanOrEqual(before.workFiles);
  },
  300_000,
);

test('backups that are broken at random are restored or refused by a sentence', async () => {
  const { outcomes, findings } = await fuzzBackups(1, (done) => done < 30);
  expect(findings).toEqual([]);
  expect(outcomes['restored']).toBeGreaterThan(0);
}, 300_000);
