import { describe, expect, test } from 'vitest';
import { disk } from '../endure/episodes/disk.ts';
import { power } from '../endure/episodes/power.ts';
import { diskFaultsUnavailable } from '../endure/world/disk.ts';
import { runEpisode } from './run-episode.ts';

const reason = diskFaultsUnavailable();

describe.skipIf(reason !== null)(`the disk${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  test('may fail at any change, and nothing is lost', async () => {
    const { faults, sent } = await runEpisode(disk, { store: 'sqlite' });
    expect(faults).toBeGreaterThan(0);
    expect(sent).toBeGreaterThan(0);
  }, 180_000);

  test('may lose whatever was not flushed when the power fails', async () => {
    const { kills, sent } = await runEpisode(power, { store: 'sqlite' });
    expect(kills).toBeGreaterThanOrEqual(2);
    expect(sent).toBe(4);
  }, 180_000);
});
