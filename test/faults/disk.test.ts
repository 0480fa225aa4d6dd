import { describe, expect, test } from 'vitest';
import { disk } from '../endure/episodes/disk.ts';
import { power } from '../endure/episodes/power.ts';
import { noDiskFaults } from '../endure/world/disk.ts';
import { played } from './played.ts';

const reason = noDiskFaults();

describe.skipIf(reason !== null)(`the disk${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  test('may fail at any change, and nothing is lost', async () => {
    const { faults, sent } = await played(disk, { store: 'sqlite' });
    expect(faults).toBeGreaterThan(0);
    expect(sent).toBeGreaterThan(0);
  }, 180_000);

  test('may lose whatever was not flushed when the power fails', async () => {
    const { kills, sent } = await played(power, { store: 'sqlite' });
    expect(kills).toBeGreaterThanOrEqual(2);
    expect(sent).toBe(4);
  }, 180_000);
});
