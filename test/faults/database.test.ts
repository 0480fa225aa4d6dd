import { expect, onTestFinished, test } from 'vitest';
import { database } from '../endure/episodes/database.ts';
import { startDurablePostgres } from '../endure/world/durable-postgres.ts';
import { postgresUrl } from '../setup/stores.ts';
import { runEpisode } from './run-episode.ts';

test.skipIf(postgresUrl === null)(
  'PostgreSQL may be stopped, crash, freeze, be cut off and end its connections under load',
  async () => {
    const server = await startDurablePostgres();
    if ('unavailable' in server) throw new Error(server.unavailable);
    onTestFinished(() => server.close());
    const { faults, sent } = await runEpisode(database, { store: 'postgres', server });
    expect(faults).toBe(5);
    expect(sent).toBe(6);
  },
  180_000,
);
