import { toolPath } from '../../setup/tool-path.ts';
import { type Episode, type EpisodeContext, judged, openWorld } from '../episode.ts';
import type { DiskControl } from '../shim/control.ts';
import { endDiskTrial, losePower, noDiskFaults, tryDisk } from '../world/disk.ts';
import { heal } from '../world/healing.ts';
import { Mailbox } from '../world/mailbox.ts';
import { runProviders } from '../world/provider-side.ts';
import { together } from '../world/together.ts';
import { blowOf, strike, troubleProviders, untilDone } from '../world/trouble.ts';
import type { World } from '../world/world.ts';

const SIZES = { small: { letters: 6, blows: 2 }, large: { letters: 60, blows: 12 } };

/** Messages of a mailbox become faxes, whatever happens to the gateway, the mailbox and the providers meanwhile. */
export const mailToFax: Episode = {
  name: 'mail-to-fax',
  summary:
    'messages of a mailbox that become faxes, through kills, power failures and a mailbox that goes away',
  stores: ['sqlite', 'postgres'],
  unavailable: () => (toolPath('dovecot') === null ? 'there is no Dovecot for the mailbox' : null),
  run: async (context) => judged(await openWorld(context), (world) => goOn(world, context)),
};

/** `faults` counts how often the mailbox went away, and replies that their server has. */
async function goOn(world: World, context: EpisodeContext): Promise<{ faults: number }> {
  const { letters } = SIZES[context.size];
  const randomFor = (number: number) => context.random('letter', number);
  const mailbox = await Mailbox.open(world, { letters, randomFor });
  try {
    const disk = noDiskFaults() === null ? tryDisk(world, { keeps: true }) : null;
    if (!(await world.start())) throw new Error('the gateway does not start');
    await mailbox.prepare();
    await disturb(world, { mailbox, disk, context });
    disk?.close();
    await mailbox.settle();
    await heal(world);
    await mailbox.settle();
    world.complaints.push(...(await mailbox.complaints()));
    return { faults: mailbox.deeds };
  } finally {
    await mailbox.close();
  }
}

interface Disturbed {
  readonly mailbox: Mailbox;
  readonly disk: DiskControl | null;
  readonly context: EpisodeContext;
}

async function disturb(world: World, { mailbox, disk, context }: Disturbed): Promise<void> {
  const ended = new AbortController();
  const around = together([
    runProviders(world, context.random('providers'), ended.signal),
    troubleProviders(world, context.random('trouble'), ended.signal),
    mailbox.trouble(context.random('mailbox'), ended.signal),
    mailbox.watch(ended.signal),
  ]);
  const delivering = together([mailbox.deliver(context.random('delivery'))]);
  try {
    for (let number = 0; number < SIZES[context.size].blows; number += 1)
      await hit(world, { disk, context, number });
    if (disk) {
      await world.stop();
      endDiskTrial(world, disk);
    }
    if (!world.gateway?.isRunning && !(await world.start())) throw new Error('the gateway did not start');
    await delivering();
  } finally {
    ended.abort();
  }
  await around();
  for (const vendor of world.vendors) await vendor.heal();
}

/** Every third time the power fails: what was not flushed may be gone. */
async function hit(
  world: World,
  { disk, context, number }: { disk: DiskControl | null; context: EpisodeContext; number: number },
): Promise<void> {
  const random = context.random('failure', number);
  if (disk === null || number % 3 !== 1) return strike(world, blowOf(context.random('blow', number)));
  if (!world.gateway?.isRunning) world.begin();
  if (!(await world.ready())) throw new Error('the gateway does not start after a power failure');
  await untilDone(world, random.int(6));
  if (random.chance(50)) disk.hit('torn', 1 + random.int(60));
  await losePower(world, disk, random);
}
