import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compareWithRule } from '../setup/authority/compare.ts';
import { FAULTS } from '../setup/authority/faults.ts';

// `npm run bench -- authority` asks 100,000, and shows that faults are found.
test.each([1, 20_001, 40_001])(
  'rule (access): one rule decides which person may do what to which resource [seed %i]',
  async (seed) => {
    const { differences, requests, done } = await compareWithRule(seed, 1_000);
    expect(differences).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(1_000);
    // Neither all nor nothing is allowed.
    expect(done).toBeGreaterThan(requests / 10);
    expect(done).toBeLessThan(requests * 0.9);
  },
  60_000,
);

test.each(FAULTS)('there is still the place for a fault: $name', ({ file, text }) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(text);
});
