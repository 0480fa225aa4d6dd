import { toolPath } from '../../setup/tool-path.ts';
import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import type { DiskControl } from '../shim/control.ts';
import {
  diskFaultsUnavailable,
  installDiskFaults,
  removeDiskFaults,
  simulatePowerFailure,
} from '../world/disk.ts';
import { chooseInterruption, disturbProviders, interrupt, waitForActions } from '../world/interruptions.ts';
import { Mailbox } from '../world/mailbox.ts';
import { runProviders } from '../world/provider-side.ts';
import { runInBackground } from '../world/run-in-background.ts';
import { settleWorld } from '../world/settle-world.ts';
import type { World } from '../world/world.ts';

const SIZES = { small: { letters: 6, interruptions: 2 }, large: { letters: 60, interruptions: 12 } };

/** Messages of a mailbox become faxes, whatever happens to the gateway, the mailbox and the providers meanwhile. */
export const mailToFax: Episode = {
  name: 'mail-to-fax',
  summary:
    'messages of a mailbox that become faxes, through kills, power failures and a mailbox that goes away',
  stores: ['sqlite', 'postgres'],
  unavailable: () => (toolPath('dovecot') === null ? 'there is no Dovecot for the mailbox' : null),
  run: async (context) => runAndJudge(await openWorld(context), (world) => runMailToFax(world, context)),
};

/** `faults` counts how often the mailbox went away, and replies that their server has. */
async function runMailToFax(world: World, context: EpisodeContext): Promise<{ faults: number }> {
  const { letters } = SIZES[context.size];
  const randomFor = (number: number) => context.random('letter', number);
  const mailbox = await Mailbox.open(world, { letters, randomFor });
  try {
    const disk = diskFaultsUnavailable() === null ? installDiskFaults(world, { keeps: true }) : null;
    if (!(await world.start())) throw new Error('the gateway does not start');
    await mailbox.prepare();
    await runWithDisturbances(world, { mailbox, disk, context });
    disk?.close();
    await mailbox.settle();
    await settleWorld(world);
    await mailbox.settle();
    world.complaints.push(...(await mailbox.complaints()));
    return { faults: mailbox.actionCount };
  } finally {
    await mailbox.close();
  }
}

interface DisturbanceContext {
  readonly mailbox: Mailbox;
  readonly disk: DiskControl | null;
  readonly context: EpisodeContext;
}

async function runWithDisturbances(
  world: World,
  { mailbox, disk, context }: DisturbanceContext,
): Promise<void> {
  const ended = new AbortController();
  const background = runInBackground([
    runProviders(world, context.random('providers'), ended.signal),
    disturbProviders(world, context.random('trouble'), ended.signal),
    mailbox.disturb(context.random('mailbox'), ended.signal),
    mailbox.watch(ended.signal),
  ]);
  const delivering = runInBackground([mailbox.deliver(context.random('delivery'))]);
  try {
    for (let number = 0; number < SIZES[context.size].interruptions; number += 1)
      await interruptOnce(world, { disk, context, number });
    if (disk) {
      await world.stop();
      removeDiskFaults(world, disk);
    }
    if (!world.gateway?.isRunning && !(await world.start())) throw new Error('the gateway did not start');
    await delivering();
  } finally {
    ended.abort();
  }
  await background();
  for (const vendor of world.vendors) await vendor.clearFaults();
}

/** Every third time the power fails: what was not flushed may be gone. */
async function interruptOnce(
  world: World,
  { disk, context, number }: { disk: DiskControl | null; context: EpisodeContext; number: number },
): Promise<void> {
  const random = context.random('failure', number);
  if (disk === null || number % 3 !== 1)
    return interrupt(world, chooseInterruption(context.random('blow', number)));
  if (!world.gateway?.isRunning) world.launch();
  if (!(await world.waitUntilReady())) throw new Error('the gateway does not start after a power failure');
  await waitForActions(world, random.int(6));
  if (random.chance(50)) disk.inject('torn', 1 + random.int(60));
  await simulatePowerFailure(world, disk, random);
}
