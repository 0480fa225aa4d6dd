import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import type { Fault } from '../../setup/emulators/faults.ts';
import { DAY, HOUR, MINUTE } from '../../setup/manual-clock.ts';
import type { Vendor } from './vendor.ts';
import type { World } from './world.ts';

/** Providers answer late, wrong or not at all, until the signal says that it is enough. */
export async function disturbProviders(world: World, random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const vendor = random.pick(world.vendors);
    const kind = random.int(FAULTS.length + 1);
    const isAccepted = random.chance(50);
    const lastsMs = 50 + random.int(400);
    await pause(100 + random.int(500));
    await disturbProvider(vendor, FAULTS[kind] ?? null, { isAccepted, lastsMs });
  }
}

const FAULTS: readonly Fault['kind'][] = [
  'slow',
  'dropped',
  'server-error',
  'rate-limited',
  'truncated',
  'garbage',
  'wrong-shape',
];

/** Without a fault nobody is let in for a while. */
async function disturbProvider(
  vendor: Vendor,
  kind: Fault['kind'] | null,
  { isAccepted, lastsMs }: { isAccepted: boolean; lastsMs: number },
): Promise<void> {
  if (kind === null) {
    await vendor.refuseConnections();
    await pause(lastsMs);
    await vendor.acceptConnections();
    return;
  }
  // A rate-limited provider has not accepted the fax.
  const accepted = kind === 'slow' || (kind !== 'rate-limited' && isAccepted);
  vendor.setFault({ kind, accepted });
  await pause(lastsMs);
  vendor.release();
}

/** Interruption of the gateway. */
interface Interruption {
  readonly kind: 'kill' | 'kill at start' | 'stop' | 'stop at start' | 'pause' | 'pause and kill';
  /** After it was started, or after so much was done since it was ready. Milliseconds. */
  readonly afterMs: number;
  /** Faxes that were accepted, submitted or acknowledged. */
  readonly afterActions: number;
  readonly lastsMs: number;
  /** Jump of the clock while the gateway is down. */
  readonly jumpMs: number;
}

export function chooseInterruption(random: Random): Interruption {
  const kinds = ['kill', 'kill', 'kill', 'kill at start', 'stop', 'stop at start', 'pause', 'pause and kill'];
  return {
    kind: random.pick(kinds) as Interruption['kind'],
    afterMs: random.int(400),
    afterActions: random.int(12),
    lastsMs: 200 + random.int(2_000),
    jumpMs: chooseJump(random),
  };
}

/** From 90 days back to 300 days ahead, often a little. */
function chooseJump(random: Random): number {
  const sign = random.chance(50) ? 1 : -1;
  const [hours, far] = [random.int(20), random.int(391)];
  if (random.chance(50)) return 0;
  if (random.chance(40)) return sign * random.int(30) * MINUTE;
  return random.chance(50) ? sign * hours * HOUR : (far - 90) * DAY;
}

/** Starts the gateway where it is down, and strikes. Afterwards it is down, or was paused and goes on. */
export async function interrupt(world: World, interruption: Interruption): Promise<void> {
  const isEarly = interruption.kind.endsWith('at start');
  if (!world.gateway?.isRunning) world.launch();
  if (!isEarly && !(await world.waitUntilReady())) throw new Error('the gateway did not start');
  if (!isEarly) await waitForActions(world, interruption.afterActions);
  await pause(isEarly ? interruption.afterMs * 3 : interruption.afterMs);
  if (interruption.kind.startsWith('pause')) {
    world.gateway?.signal('SIGSTOP');
    await pause(interruption.lastsMs);
    if (interruption.kind === 'pause') return world.gateway?.signal('SIGCONT');
  }
  await (interruption.kind.startsWith('stop') ? world.stop() : world.kill());
}

const MAX_WAIT_MS = 3_000;

/** Waits until so much more was done, but not for ever: perhaps nothing is left to do, or a provider is away. */
export async function waitForActions(world: World, actions: number): Promise<void> {
  const target = world.actionCount + actions;
  const end = performance.now() + MAX_WAIT_MS;
  while (world.actionCount < target && performance.now() < end) await pause(10);
}
