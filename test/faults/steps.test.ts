import { describe, expect, test } from 'vitest';
import { restore } from '../endure/episodes/restore.ts';
import { startStop } from '../endure/episodes/start-stop.ts';
import { diskFaultsUnavailable } from '../endure/world/disk.ts';
import { runEpisode } from './run-episode.ts';

const reason = diskFaultsUnavailable();

describe.skipIf(reason !== null)(
  `broken off at a step${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    test('a start and a stop leave everything for the next start', async () => {
      const { faults } = await runEpisode(startStop, { store: 'sqlite' });
      expect(faults).toBeGreaterThan(0);
    }, 180_000);

    test('a restore leaves the whole old state or the whole new one', async () => {
      const { faults } = await runEpisode(restore, { store: 'sqlite' });
      expect(faults).toBeGreaterThan(0);
    }, 180_000);
  },
);
