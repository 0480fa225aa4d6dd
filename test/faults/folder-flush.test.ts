import { describe, expect, test } from 'vitest';
import { createContext, type Episode } from '../endure/episode.ts';
import { worstPowerFailure } from '../endure/episodes/power.ts';
import { diskFaultsUnavailable } from '../endure/world/disk.ts';
import { runEpisode } from './run-episode.ts';

const reason = diskFaultsUnavailable();

/** Runs an episode that should find faults, and returns its outcome. */
const outcomeOf = (episode: Episode, seed = 1) =>
  episode.run(
    createContext({ name: episode.name, seed, store: 'sqlite', size: 'small', postgres: null, server: null }),
  );

describe.skipIf(reason !== null)(`a whole gateway${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  test('loses every fax in a power failure when it flushes no folder, and the judge reports it', async () => {
    const { verdict, sent, received } = await outcomeOf(worstPowerFailure({ dropsFolderFlushes: true }));
    expect([sent, received]).toEqual([3, 2]);
    expect(verdict.lost).toHaveLength(5);
    expect(verdict.deleted).not.toEqual([]);
  }, 120_000);

  test('rule (installation): files and folders are flushed before the row that names them commits, so a power failure loses nothing', async () => {
    const { sent, received } = await runEpisode(worstPowerFailure(), { store: 'sqlite' });
    expect([sent, received]).toEqual([3, 2]);
  }, 120_000);
});
