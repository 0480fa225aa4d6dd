import { expect, test } from 'vitest';
import { imports } from '../endure/episodes/imports.ts';
import { runEpisode } from './run-episode.ts';

test('documents of other systems and of a folder go through kills and power failures, and so do the files that were put away', async () => {
  const { received } = await runEpisode(imports, { store: 'sqlite', seed: 25 });
  expect(received).toBeGreaterThan(0);
}, 180_000);
