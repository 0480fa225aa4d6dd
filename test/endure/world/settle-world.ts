import { setTimeout as pause } from 'node:timers/promises';
import { HOUR, MINUTE, SECOND } from '../../setup/manual-clock.ts';
import { countIncoming } from './collect-evidence.ts';
import type { World } from './world.ts';

const STEPS = [
  ...Array<number>(4).fill(31 * SECOND),
  ...Array<number>(6).fill(6 * MINUTE),
  ...Array<number>(6).fill(20 * MINUTE),
  ...Array<number>(30).fill(HOUR),
];
/** Steps of an hour that follow as long as faxes move, so that a busy machine has time for thousands of them. */
const STILL_STEPS = 12;
/** Minimum time of a step: the gateway looks for due work every second. */
const STEP_MS = 1_300;
const POLL_MS = 60;

/** Everything is well again: the gateway is up, the providers answer, every fax ends there, and time goes on until all is settled. */
export async function settleWorld(world: World): Promise<void> {
  for (const vendor of world.vendors) await vendor.clearFaults();
  if (!world.gateway?.isRunning && !(await restartGateway(world))) return;
  let fewest = Number.POSITIVE_INFINITY;
  let stillSteps = 0;
  for (let step = 0; step < STEPS.length || stillSteps < STILL_STEPS; step += 1) {
    await completeAll(world);
    const open = await waitUntilSettled(world, STEP_MS);
    if (open === 0) return;
    stillSteps = open < fewest ? 0 : stillSteps + 1;
    fewest = Math.min(fewest, open);
    world.advance(STEPS[step] ?? HOUR);
  }
}

async function restartGateway(world: World): Promise<boolean> {
  if (await world.start()) return true;
  world.complaints.push(`the gateway does not start any more: ${world.gateway?.output.slice(-1_000)}`);
  return false;
}

/** Completes the open faxes at the providers, which then repeat unacknowledged reports. */
async function completeAll(world: World): Promise<void> {
  const url = world.address;
  for (const vendor of world.vendors) {
    for (const fax of vendor.sent().filter(({ state }) => state === 'open')) {
      const hasDocument = await vendor.fetchDocument(fax.id, url);
      vendor.complete(fax.id, hasDocument);
      await vendor.report(fax.id, url, {});
    }
  }
  for (const fax of listUnacknowledged(world)) {
    const vendor = world.vendors.find(({ name }) => name === fax.vendor);
    fax.isAcknowledged = (await vendor?.notify(fax.id, url, {})) ?? false;
  }
}

/** Waits until nothing is under way. Returns the number of things that still are when the time is over. */
async function waitUntilSettled(world: World, timeoutMs: number): Promise<number> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const open = await countOpen(world);
    if (open === 0 || performance.now() > end) return open;
    await pause(POLL_MS);
  }
}

/** Lists the unacknowledged notifications; none when the gateway polls the provider instead. */
function listUnacknowledged({ incoming, isReachable }: World) {
  return isReachable ? incoming.filter(({ isAcknowledged }) => !isAcknowledged) : [];
}

const OPEN_STATES = ['ready', 'preparing', 'submitting', 'in_progress'] as const;

/** Counts what is under way; infinite when the gateway does not answer. */
async function countOpen(world: World): Promise<number> {
  const faxes = (await world.request('GET', '/fax/counts'))?.body as
    | { all?: Record<string, number> }
    | undefined;
  const received = (await world.request('GET', '/inbound/counts'))?.body as { waiting?: number } | undefined;
  if (!faxes?.all || received?.waiting === undefined) return Number.POSITIVE_INFINITY;
  const sending = OPEN_STATES.reduce((sum, state) => sum + (faxes.all?.[state] ?? 0), 0);
  const open = sending + received.waiting + listUnacknowledged(world).length;
  if (open > 0 || !canFindAllByPolling(world)) return open;
  return Math.max(0, world.incoming.length - (await countIncoming(world)));
}

/** Returns true when the gateway polls and no clock was changed, so that it finds every received fax. */
export function canFindAllByPolling({ isReachable, hasJumped }: World): boolean {
  return !isReachable && !hasJumped;
}
