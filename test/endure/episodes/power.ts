import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import { type Episode, type EpisodeContext, judged, openWorld } from '../episode.ts';
import type { DiskControl } from '../shim/control.ts';
import { errandOf, runErrand } from '../world/client.ts';
import { endDiskTrial, losePower, noDiskFaults, tryDisk } from '../world/disk.ts';
import { populate } from '../world/populate.ts';
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

/** The fault of a gateway that has to be found, in a trial of the trial itself. */
export interface Harmed {
  readonly dropsFolderFlushes?: boolean;
}

/** The same with a gateway that flushes no folder. */
export const powerWithoutFolderFlushes: Episode = {
  ...power,
  summary: 'power failures of a gateway that flushes no folder',
  run: async (context) =>
    judged(await openWorld(context), (world) => failOften(world, context, { dropsFolderFlushes: true })),
};

/** A single power failure that takes whatever was not flushed, after a few faxes. */
export function worstPowerFailure(gateway: Harmed = {}): Episode {
  return {
    ...power,
    run: async (context) =>
      judged(await openWorld(context, { isReachable: true }), (world) =>
        failAtWorst(world, context, gateway),
      ),
  };
}

async function failAtWorst(world: World, context: EpisodeContext, gateway: Harmed): Promise<void> {
  const disk = tryDisk(world, { keeps: true, ...gateway });
  if (!(await world.start())) throw new Error('the gateway does not start');
  await populate(world, { from: 0, count: 3, random: context.random('faxes') });
  await losePower(world, disk, WORST);
  endDiskTrial(world, disk);
  disk.close();
  if (!(await world.start())) throw new Error('the gateway does not start after the power failure');
}

/** No change of a name and no block that was not flushed is there. */
const WORST: Random = {
  int: () => 0,
  pick: ([first]) => first as never,
  chance: () => false,
  bytes: (count) => Buffer.alloc(count),
};

async function failOften(world: World, context: EpisodeContext, gateway: Harmed = {}): Promise<void> {
  const { faxes, failures } = SIZES[context.size];
  const disk = tryDisk(world, { keeps: true, ...gateway });
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
  await losePower(world, disk, random);
}
