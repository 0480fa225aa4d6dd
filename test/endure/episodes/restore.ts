import { join } from 'node:path';
import type { Random } from '../../fuzz/random.ts';
import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import type { DiskControl, DiskFault } from '../shim/control.ts';
import { collectEvidence } from '../world/collect-evidence.ts';
import { diskFaultsUnavailable, installDiskFaults, removeDiskFaults } from '../world/disk.ts';
import { listFaxNumbers, populate } from '../world/populate.ts';
import type { World } from '../world/world.ts';

const ROUNDS = { small: 1, large: 8 };
const STRIDE = 97;
const FAULTS: readonly DiskFault[] = ['kill', 'kill', 'kill', 'torn', 'EIO', 'ENOSPC'];
const BACKED_UP_COUNT = 3;

/** A restore over an installation is broken off at every step: afterwards there is the whole old or the whole new state. */
export const restore: Episode = {
  name: 'restore',
  summary:
    'restores that are killed at each step, or whose disk fails there: the old state or the new one, whole',
  stores: ['sqlite', 'postgres'],
  unavailable: diskFaultsUnavailable,
  run: async (context) => runAndJudge(await openWorld(context), (world) => interruptRestores(world, context)),
};

async function interruptRestores(world: World, context: EpisodeContext): Promise<{ faults: number }> {
  const control = installDiskFaults(world, { keeps: false });
  if (!(await world.start())) throw new Error('the gateway does not start');
  await populate(world, { from: 0, count: BACKED_UP_COUNT, random: context.random('faxes') });
  const inBackup = await listFaxNumbers(world);
  const backup = join(world.folder, 'backup.zip');
  await world.stop();
  await runCommand(world, ['backup', backup]);
  const start = control.count();
  await runCommand(world, ['restore', backup, '--replace']);
  // So many changes of the disk a restore makes when all is well.
  const changes = control.count() - start;
  const first = context.random('first').int(changes);
  for (let number = 0; number < ROUNDS[context.size]; number += 1) {
    const random = context.random('round', number);
    const at = 1 + ((first + number * STRIDE) % changes);
    // Something that is not in the backup.
    if (!(await world.start())) throw new Error('the gateway does not start');
    await populate(world, { from: BACKED_UP_COUNT + number, count: 1, random });
    const before = await listFaxNumbers(world);
    await world.stop();
    await interruptRestore(world, control, { random, at, backup, states: { before, inBackup } });
  }
  const faults = control.hitCount();
  removeDiskFaults(world, control);
  control.close();
  dropReplacedFaxes(world, await listRestoredNumbers(world));
  return { faults };
}

interface InterruptedRestore {
  readonly random: Random;
  readonly at: number;
  readonly backup: string;
  readonly states: { readonly before: string[] | null; readonly inBackup: string[] | null };
}

async function interruptRestore(
  world: World,
  control: DiskControl,
  { random, at, backup, states }: InterruptedRestore,
): Promise<void> {
  const fault = random.pick(FAULTS);
  control.inject(fault, at, random.pick([1, 4, 10_000]));
  const restoring = world.run(['restore', backup, '--replace']);
  const { code, signal } = await restoring.ended;
  control.clearFaults();
  const after = `a restore with ${fault} at change ${at}`;
  if (signal === 'SIGKILL') world.kills += 1;
  else if (code !== 0 && !/\.\s*$/u.test(restoring.output))
    world.complaints.push(`${after} said no sentence: ${restoring.output.slice(-300)}`);
  if (!(await world.start())) throw new Error(`the gateway does not start after ${after}`);
  const now = await listFaxNumbers(world);
  const isOld = String(now) === String(states.before);
  const isNew = String(now) === String(states.inBackup);
  if (!isOld && !isNew) world.complaints.push(`after ${after} there is neither the old nor the new state`);
  if (code === 0 && !isNew) world.complaints.push(`after ${after}, which said that it is done, it is not`);
  if (/[Nn]othing was changed/u.test(restoring.output) && !isOld)
    world.complaints.push(`after ${after}, which said that nothing was changed, something was`);
  await expectDocuments(world, after);
  await world.stop();
}

/** Every fax that is listed has its document. */
async function expectDocuments(world: World, after: string): Promise<void> {
  const { reportedFaxes, reportedIncoming } = await collectEvidence(world);
  const received = reportedIncoming.filter(({ status }) => status === 'received');
  for (const { id, sha256, downloaded } of [...reportedFaxes, ...received])
    if (downloaded !== sha256) world.complaints.push(`after ${after} the document of ${id} is not there`);
}

async function runCommand(world: World, words: readonly string[]): Promise<void> {
  const command = world.run(words);
  const { code } = await command.ended;
  if (code !== 0) throw new Error(`${words.join(' ')} failed: ${command.output.slice(-500)}`);
}

async function listRestoredNumbers(world: World): Promise<string[]> {
  if (!(await world.start())) throw new Error('the gateway does not start at the end');
  return (await listFaxNumbers(world)) ?? [];
}

/** Drops the expectations about faxes that the restore replaced. */
function dropReplacedFaxes(world: World, numbers: readonly string[]): void {
  const kept = world.clients.filter(({ to }) => numbers.includes(to));
  world.clients.splice(0, world.clients.length, ...kept);
  for (const fax of world.incoming) fax.isAcknowledged = false;
}
