import { expect, test } from 'vitest';
import { printing } from '../endure/episodes/printing.ts';
import { runEpisode } from './run-episode.ts';

test('received faxes are printed once at printers with and without a job history, or are questions, through kills', async () => {
  const { kills, received } = await runEpisode(printing, { store: 'sqlite', seed: 3 });
  expect([kills, received]).toEqual([2, 30]);
}, 180_000);
