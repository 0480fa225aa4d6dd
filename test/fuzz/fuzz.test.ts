import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';

test('rule (api): random requests to public routes never hang, never get a 500, and leave no descriptor or file', async () => {
  const { requests, statuses, hung, failed, before, after } = await fuzz(1, (done) => done < 3000);
  expect({ hung, failed }).toEqual({ hung: [], failed: [] });
  // Every kind of refusal came up, so that the requests are what they are meant to be.
  expect(Object.keys(statuses)).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '405', '413', '415', '421', '422']),
  );
  expect(requests).toBeGreaterThanOrEqual(3000);
  expect(after.workFiles).toBe(0);
  expect(after.descriptors ?? 0).toBeLessThanOrEqual(before.descriptors ?? 0);
  expect(after.usedMb).toBeLessThan(before.usedMb + 32);
}, 300_000);
