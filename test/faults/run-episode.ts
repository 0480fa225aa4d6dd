import { expect, inject } from 'vitest';
import { createContext, type Episode, listFindings, type Outcome } from '../endure/episode.ts';
import { type DurablePostgres, databasesAt } from '../endure/world/durable-postgres.ts';
import type { Store } from '../endure/world/world.ts';

const postgresUrl = inject('postgresUrl');

/** Plays a small episode with a fixed seed, and expects that nothing was found. */
export async function runEpisode(
  episode: Episode,
  { store, seed = 1, server = null }: { store: Store; seed?: number; server?: DurablePostgres | null },
): Promise<Outcome> {
  const postgres = server ?? (postgresUrl === null ? null : databasesAt(postgresUrl));
  const outcome = await episode.run(
    createContext({ name: episode.name, seed, store, size: 'small', postgres, server }),
  );
  expect(listFindings(outcome), `${episode.name} on ${store} with the seed ${seed}`).toEqual([]);
  return outcome;
}
