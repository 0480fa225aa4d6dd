import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import { type Episode, type EpisodeContext, judged, openWorld } from '../episode.ts';
import type { DiskControl } from '../shim/control.ts';
import { failPower } from '../shim/power-failure.ts';
import { errandOf, runErrand } from '../world/client.ts';
import { endDiskTrial, noDiskFaults, tryDisk } from '../world/disk.ts';
import { runProviders } from '../world/provider-side.ts';
import { together } from '../world/together.ts';
import { untilDone } from '../world/trouble.ts';
import type { World } from '../world/world.ts';

const SIZES = { small: { faxes: 4, failures: 2 }, large: { faxes: 40, failures: 12 } };

/** The power fails: what was not flushed is there, or not, or half. */
export const power: Episode = {
  name: 'power',
  summary: 'power failures: whatever was not flushed to the disk is lost, torn or out of order',
  stores: ['sqlite', 'postgres'],
  unavailable: noDiskFaults,
  run: async (context) => judged(await openWorld(context), (world) => failOften(world, context)),
};

async function failOften(world: World, context: EpisodeContext): Promise<void> {
  const { faxes, failures } = SIZES[context.size];
  const disk = tryDisk(world, { keeps: true });
  const ended = new AbortController();
  const errands = Array.from({ length: faxes }, (_, number) =>
    errandOf(context.random('fax', number), number),
  );
  const around = together([runProviders(world, context.random('providers'), ended.signal)]);
  const sending = together(
    [0, 1, 2].map(async (client) => {
      for (let next = client; next < errands.length; next += 3)
        await runErrand(world, errands[next] as never, ended.signal);
    }),
  );
  try {
    for (let number = 0; number < failures; number += 1)
      await failOnce(world, disk, context.random('failure', number));
    endDiskTrial(world, disk);
    if (!(await world.start())) throw new Error('the gateway does not start after the last power failure');
    await sending();
  } finally {
    ended.abort();
  }
  await sending();
  await around();
  disk.close();
}

/** Some of them in the middle of a start. */
async function failOnce(world: World, disk: DiskControl, random: Random): Promise<void> {
  const isAtStart = random.chance(25);
  const [deeds, changes, waitMs] = [random.int(8), 1 + random.int(60), random.int(80)];
  world.begin();
  if (isAtStart) disk.hit('torn', changes);
  else {
    if (!(await world.ready())) throw new Error('the gateway does not start after a power failure');
    await untilDone(world, deeds);
    // In the middle of a write, or between two.
    if (random.chance(50)) disk.hit('torn', changes);
  }
  await pause(waitMs);
  if (isAtStart) await Promise.race([world.gateway?.ended, pause(2_000)]);
  await world.cutPower();
  disk.heal();
  failPower({ root: world.dataFolder, journalFolder: disk.journalFolder, random });
  disk.forget();
}
