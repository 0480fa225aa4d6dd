import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import type { DiskControl } from '../shim/control.ts';
import { planClient, runClient } from '../world/client.ts';
import {
  diskFaultsUnavailable,
  installDiskFaults,
  removeDiskFaults,
  simulatePowerFailure,
} from '../world/disk.ts';
import { waitForActions } from '../world/interruptions.ts';
import { populate } from '../world/populate.ts';
import { runProviders } from '../world/provider-side.ts';
import { runInBackground } from '../world/run-in-background.ts';
import type { World } from '../world/world.ts';

const SIZES = { small: { faxes: 4, failures: 2 }, large: { faxes: 40, failures: 12 } };

/** The power fails: what was not flushed is there, or not, or half. */
export const power: Episode = {
  name: 'power',
  summary: 'power failures: whatever was not flushed to the disk is lost, torn or out of order',
  stores: ['sqlite', 'postgres'],
  unavailable: diskFaultsUnavailable,
  run: async (context) => runAndJudge(await openWorld(context), (world) => failRepeatedly(world, context)),
};

/** The fault of a gateway that has to be found, in a trial of the trial itself. */
interface GatewayFault {
  readonly dropsFolderFlushes?: boolean;
}

/** The same with a gateway that flushes no folder. */
export const powerWithoutFolderFlushes: Episode = {
  ...power,
  summary: 'power failures of a gateway that flushes no folder',
  run: async (context) =>
    runAndJudge(await openWorld(context), (world) =>
      failRepeatedly(world, context, { dropsFolderFlushes: true }),
    ),
};

/** A single power failure that takes whatever was not flushed, after a few faxes. */
export function worstPowerFailure(gateway: GatewayFault = {}): Episode {
  return {
    ...power,
    run: async (context) =>
      runAndJudge(await openWorld(context, { isReachable: true }), (world) =>
        failWithWorstLoss(world, context, gateway),
      ),
  };
}

async function failWithWorstLoss(
  world: World,
  context: EpisodeContext,
  gateway: GatewayFault,
): Promise<void> {
  const disk = installDiskFaults(world, { keeps: true, ...gateway });
  if (!(await world.start())) throw new Error('the gateway does not start');
  await populate(world, { from: 0, count: 3, random: context.random('faxes') });
  await simulatePowerFailure(world, disk, WORST_CASE);
  removeDiskFaults(world, disk);
  disk.close();
  if (!(await world.start())) throw new Error('the gateway does not start after the power failure');
}

/** No change of a name and no block that was not flushed is there. */
const WORST_CASE: Random = {
  int: () => 0,
  pick: ([first]) => first as never,
  chance: () => false,
  bytes: (count) => Buffer.alloc(count),
};

async function failRepeatedly(
  world: World,
  context: EpisodeContext,
  gateway: GatewayFault = {},
): Promise<void> {
  const { faxes, failures } = SIZES[context.size];
  const disk = installDiskFaults(world, { keeps: true, ...gateway });
  const ended = new AbortController();
  const plans = Array.from({ length: faxes }, (_, number) =>
    planClient(context.random('fax', number), number),
  );
  const background = runInBackground([runProviders(world, context.random('providers'), ended.signal)]);
  const sending = runInBackground(
    [0, 1, 2].map(async (client) => {
      for (let next = client; next < plans.length; next += 3)
        await runClient(world, plans[next] as never, ended.signal);
    }),
  );
  try {
    for (let number = 0; number < failures; number += 1)
      await failOnce(world, disk, context.random('failure', number));
    removeDiskFaults(world, disk);
    if (!(await world.start())) throw new Error('the gateway does not start after the last power failure');
    await sending();
  } finally {
    ended.abort();
  }
  await sending();
  await background();
  disk.close();
}

/** Some of them in the middle of a start. */
async function failOnce(world: World, disk: DiskControl, random: Random): Promise<void> {
  const isAtStart = random.chance(25);
  const [deeds, changes, waitMs] = [random.int(8), 1 + random.int(60), random.int(80)];
  world.launch();
  if (isAtStart) disk.inject('torn', changes);
  else {
    if (!(await world.waitUntilReady())) throw new Error('the gateway does not start after a power failure');
    await waitForActions(world, deeds);
    // In the middle of a write, or between two.
    if (random.chance(50)) disk.inject('torn', changes);
  }
  await pause(waitMs);
  if (isAtStart) await Promise.race([world.gateway?.ended, pause(2_000)]);
  await simulatePowerFailure(world, disk, random);
}
