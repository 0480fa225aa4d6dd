import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import { MINUTE } from '../../setup/manual-clock.ts';
import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import type { DiskControl, DiskFault } from '../shim/control.ts';
import { planClient, runClient } from '../world/client.ts';
import { diskFaultsUnavailable, installDiskFaults, removeDiskFaults } from '../world/disk.ts';
import { completeFax, receiveFax } from '../world/provider-side.ts';
import { runInBackground } from '../world/run-in-background.ts';
import type { World } from '../world/world.ts';

const ROUNDS = { small: 6, large: 60 };
/** So many changes of the disk one deed makes at most. */
const CHANGES = 60;
const FAULTS: readonly DiskFault[] = ['EIO', 'EIO', 'ENOSPC', 'ENOSPC', 'short', 'torn', 'kill'];
/** Maximum duration of a deed while the disk fails; it is repeated after the disk has recovered. */
const ACTION_TIMEOUT_MS = 700;

/** Every change of the disk fails in turn: while a fax is sent, received, ends, and while a setting is changed. */
export const disk: Episode = {
  name: 'disk',
  summary:
    'each change of the disk fails in turn: EIO, ENOSPC, half a write, the end of the process in the middle of one',
  stores: ['sqlite', 'postgres'],
  unavailable: diskFaultsUnavailable,
  run: async (context) => runAndJudge(await openWorld(context), (world) => injectInTurn(world, context)),
};

async function injectInTurn(world: World, context: EpisodeContext): Promise<{ faults: number }> {
  const control = installDiskFaults(world, { keeps: false });
  // Index of the first change to fail, so that rounds with other seeds continue elsewhere.
  const first = context.random('first').int(CHANGES);
  for (let number = 0; number < ROUNDS[context.size]; number += 1) {
    if (!world.gateway?.isRunning && !(await world.start())) throw new Error('the gateway does not start');
    const at = 1 + ((first + number * STRIDE) % CHANGES);
    await injectOnce(world, control, { random: context.random('round', number), number, at });
  }
  const faults = control.hitCount();
  // Its next start is one without the shim, in which all that is left is done.
  await world.stop();
  removeDiskFaults(world, control);
  control.close();
  return { faults };
}

/** Has no divisor in common with the number of changes, so that all of them have their turn. */
const STRIDE = 7;

async function injectOnce(
  world: World,
  control: DiskControl,
  { random, number, at }: { random: Random; number: number; at: number },
): Promise<void> {
  const fault = random.pick(FAULTS);
  // One change, some, or all of them until the disk is well again.
  const length = random.pick([1, 1, 1, 5, 10_000]);
  const ended = new AbortController();
  const action = runInBackground([runRandomAction(world, { random, number, signal: ended.signal })]);
  control.inject(fault, at, length);
  const done = action().then(() => true);
  await Promise.race([done, pause(ACTION_TIMEOUT_MS), world.gateway?.ended]);
  control.clearFaults();
  // The client goes on until it has its answer.
  const late = setTimeout(() => ended.abort(), TIMEOUT_MS);
  while (!(await Promise.race([done, pause(POLL_MS, false)])))
    if (!world.gateway?.isRunning) await restartAfterExit(world, fault);
  clearTimeout(late);
}

const POLL_MS = 50;
const TIMEOUT_MS = 90_000;

/** Only the shim sends that signal; every other end is one of the gateway's own. */
async function restartAfterExit(world: World, fault: DiskFault): Promise<void> {
  const ended = await world.gateway?.ended;
  if (ended?.signal === 'SIGKILL') world.kills += 1;
  else {
    const output = world.gateway?.output.slice(-600);
    world.complaints.push(
      `the gateway ended by itself after ${fault}: ${ended?.signal ?? ended?.code} ${output}`,
    );
  }
  if (!(await world.start())) throw new Error(`the gateway does not start after ${fault}`);
}

interface Action {
  readonly random: Random;
  readonly number: number;
  readonly signal: AbortSignal;
}

async function runRandomAction(world: World, { random, number, signal }: Action): Promise<void> {
  const kind = random.int(10);
  const vendor = random.pick(world.vendors);
  if (kind < 5) return runClient(world, { ...planClient(random, number), afterMs: 0 }, signal);
  if (kind < 8) return receiveFax(world, vendor, { number, isForged: false, isBare: random.chance(50) });
  if (kind < 9) {
    await completeFax(world, vendor, { turn: number, isSuccess: true, isForged: false });
    return world.advance(MINUTE);
  }
  const changes = { FAX_ORGANIZATION: `Clinic ${number}` };
  await world.request('PUT', '/admin/settings', { json: { changes } });
}
