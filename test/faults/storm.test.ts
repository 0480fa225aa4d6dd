import { expect, test } from 'vitest';
import { storm } from '../endure/episodes/storm.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';
import { runEpisode } from './run-episode.ts';

test.each(STORES)(
  `rule (installation): kills, provider faults and clock jumps lose, repeat and falsify no fax [on %s${withoutPostgres}]`,
  async (store) => {
    const { kills, sent, received } = await runEpisode(storm, { store });
    expect(kills).toBeGreaterThan(0);
    expect(sent).toBe(8);
    expect(received).toBeGreaterThan(0);
  },
  180_000,
);
