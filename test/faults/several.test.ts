import { expect, onTestFinished, test } from 'vitest';
import { several } from '../endure/episodes/several.ts';
import { startDurablePostgres } from '../endure/world/durable-postgres.ts';
import { postgresUrl } from '../setup/stores.ts';
import { runEpisode } from './run-episode.ts';

test.skipIf(postgresUrl === null)(
  'rule (gateways): faults of gateways, database and bucket lose, repeat and falsify no fax of three gateways',
  async () => {
    const server = await startDurablePostgres();
    if ('unavailable' in server) throw new Error(server.unavailable);
    onTestFinished(() => server.close());
    const { kills, faults, sent } = await runEpisode(several, { store: 'postgres', server });
    expect([kills, faults]).toEqual([1, 3]);
    expect(sent).toBeGreaterThan(8);
  },
  300_000,
);
