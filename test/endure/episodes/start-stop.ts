import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import type { DiskControl, DiskFault } from '../shim/control.ts';
import { diskFaultsUnavailable, installDiskFaults, removeDiskFaults } from '../world/disk.ts';
import { listFaxNumbers, populate } from '../world/populate.ts';
import type { World } from '../world/world.ts';

const ROUNDS = { small: 3, large: 12 };
const STRIDE = 37;
const FAULTS: readonly DiskFault[] = ['kill', 'kill', 'torn', 'EIO', 'ENOSPC', 'short'];

/** A start or a stop is broken off at every step, or its disk fails there. */
export const startStop: Episode = {
  name: 'start-stop',
  summary: 'starts and stops that are killed at each step, or whose disk fails there',
  stores: ['sqlite', 'postgres'],
  unavailable: diskFaultsUnavailable,
  run: async (context) =>
    runAndJudge(await openWorld(context), (world) => interruptStartsAndStops(world, context)),
};

async function interruptStartsAndStops(world: World, context: EpisodeContext): Promise<{ faults: number }> {
  const control = installDiskFaults(world, { keeps: false });
  if (!(await world.start())) throw new Error('the gateway does not start');
  await populate(world, { from: 0, count: 3, random: context.random('faxes') });
  const known = await listFaxNumbers(world);
  await world.stop();
  const changes = await countChanges(world, control);
  const first = context.random('first').int(changes.start);
  for (let number = 0; number < ROUNDS[context.size]; number += 1) {
    const random = context.random('round', number);
    const phase = number % 3 === 2 ? 'stop' : 'start';
    const at = 1 + ((first + number * STRIDE) % changes[phase]);
    const hit = { fault: random.pick(FAULTS), at, length: random.pick([1, 1, 4, 10_000]) };
    await (phase === 'start' ? interruptStart(world, control, hit) : interruptStop(world, control, hit));
    await expectComplete(world, { known, random, after: `a ${phase} with ${hit.fault} at change ${at}` });
  }
  const faults = control.hitCount();
  removeDiskFaults(world, control);
  control.close();
  return { faults };
}

/** So many changes of the disk a start and a stop make when all is well. */
async function countChanges(world: World, control: DiskControl): Promise<{ start: number; stop: number }> {
  const before = control.count();
  if (!(await world.start())) throw new Error('the gateway does not start');
  const between = control.count();
  await world.stop();
  return { start: between - before, stop: Math.max(1, control.count() - between) };
}

interface PlannedFault {
  readonly fault: DiskFault;
  readonly at: number;
  readonly length: number;
}

/** A start that gets through is stopped; one that does not says why. */
async function interruptStart(world: World, control: DiskControl, hit: PlannedFault): Promise<void> {
  control.inject(hit.fault, hit.at, hit.length);
  const isReady = await world.start();
  control.clearFaults();
  if (isReady) return world.stop();
  const { signal } = (await world.gateway?.ended) ?? {};
  if (signal === 'SIGKILL') world.kills += 1;
  else reportRawError(world, hit);
}

/** The last line is what a person reads who started it. */
function reportRawError({ gateway, complaints }: World, { fault, at }: PlannedFault): void {
  const last = gateway?.output.trim().split('\n').at(-1) ?? '';
  const isSentence = /^[A-Z][^{]+\.$/u.test(last) && !/SQLITE|E[A-Z]{2,}:|\bat .+:\d+/u.test(last);
  if (!isSentence)
    complaints.push(`a start that failed (${fault} at change ${at}) said: ${last.slice(0, 400)}`);
}

async function interruptStop(world: World, control: DiskControl, hit: PlannedFault): Promise<void> {
  if (!(await world.start())) throw new Error('the gateway does not start');
  control.inject(hit.fault, hit.at, hit.length);
  await world.stop();
  control.clearFaults();
  if ((await world.gateway?.ended)?.signal === 'SIGKILL') world.kills += 1;
}

/** The next start goes well and has every fax. */
async function expectComplete(
  world: World,
  { known, random, after }: { known: readonly string[] | null; random: Random; after: string },
): Promise<void> {
  if (!(await world.start())) throw new Error(`the gateway does not start after ${after}`);
  const now = await listFaxNumbers(world);
  if (String(now) !== String(known)) world.complaints.push(`after ${after} not all faxes are there`);
  await pause(random.int(50));
  await (random.chance(50) ? world.stop() : world.kill());
}
