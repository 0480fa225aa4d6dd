import { expect, test } from 'vitest';
import { descriptors } from '../endure/episodes/descriptors.ts';
import { stores } from '../endure/episodes/stores.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';
import { runEpisode } from './run-episode.ts';

test.each(STORES)(
  `a store that is lost, older or foreign is refused, and no document is touched, on %s${withoutPostgres}`,
  async (store) => {
    const { faults } = await runEpisode(stores, { store });
    expect(faults).toBe(4);
  },
  180_000,
);

test.skipIf(process.platform === 'win32')(
  'few descriptors, most of them taken by idle connections, lose nothing',
  async () => {
    const { sent } = await runEpisode(descriptors, { store: 'sqlite' });
    expect(sent).toBe(5);
  },
  180_000,
);
