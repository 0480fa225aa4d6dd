import { expect, test } from 'vitest';
import { office } from '../endure/episodes/office.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';
import { runEpisode } from './run-episode.ts';

test.each(STORES)(
  `e-mail, routes, a spending limit and work items go through kills on %s${withoutPostgres}`,
  async (store) => {
    const { sent, received } = await runEpisode(office, { store });
    expect(sent).toBe(6);
    expect(received).toBeGreaterThan(0);
  },
  180_000,
);
