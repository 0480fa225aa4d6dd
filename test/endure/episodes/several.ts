import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import { startCutOffProxy } from '../../setup/cut-off-proxy.ts';
import { type S3Server, startS3Server } from '../../setup/s3-server.ts';
import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import { planClient, runClient } from '../world/client.ts';
import { type Fleet, startFleet } from '../world/fleet.ts';
import { disturbProviders, waitForActions } from '../world/interruptions.ts';
import { runProviders } from '../world/provider-side.ts';
import { runInBackground } from '../world/run-in-background.ts';
import type { World } from '../world/world.ts';
import { type Database, type DatabaseFault, injectDatabaseFault } from './database.ts';

const CLIENTS = 8;
/** The large one takes ten minutes. */
const SIZES = { small: { harms: 3, restMs: 0 }, large: { harms: 60, restMs: 6_000 } };
const HARMS = [
  'kill',
  'database',
  'pause',
  'storage',
  'stop',
  'kill',
  'long pause',
  'storage',
  'database',
] as const;
type Harm = (typeof HARMS)[number];
/** Longer than the permit for background work lasts. */
const LONG_PAUSE_MS = 40_000;
const DATABASE_FAULTS: readonly DatabaseFault[] = ['crash', 'cut', 'terminate', 'freeze', 'stop'];
const STORAGE_FAULTS = ['broken', 'away', 'slow', 'forbidden'] as const;

/** Three gateways on one database and one bucket. */
export const several: Episode = {
  name: 'several',
  summary:
    'three gateways on one PostgreSQL and one bucket, each of them and both services harmed under load',
  stores: ['postgres'],
  unavailable: () => null,
  run: async (context) => {
    const { server } = context;
    if (!server) throw new Error('this episode needs a server of its own');
    const proxy = await startCutOffProxy({ host: '127.0.0.1', port: server.port });
    const s3 = await startS3Server();
    const mapDatabaseUrl = (url: string) => {
      const changed = new URL(url);
      changed.port = String(proxy.port);
      return changed.href;
    };
    try {
      const environment = { SEVERAL_GATEWAYS: 'on', ...s3.settings() };
      const world = await openWorld(context, { mapDatabaseUrl, environment });
      return await runAndJudge(world, () => harmAll(world, context, { server, proxy, s3 }));
    } finally {
      await proxy.close();
      await s3.close();
    }
  },
};

interface Services extends Database {
  readonly s3: S3Server;
}

async function harmAll(
  world: World,
  context: EpisodeContext,
  services: Services,
): Promise<{ faults: number }> {
  const { harms, restMs } = SIZES[context.size];
  const fleet = await startFleet(world);
  const ended = new AbortController();
  const background = runInBackground([
    runProviders(world, context.random('providers'), ended.signal),
    disturbProviders(world, context.random('trouble'), ended.signal),
  ]);
  const enough = new AbortController();
  let next = 0;
  const sending = runInBackground(
    Array.from({ length: CLIENTS }, async () => {
      while (!enough.signal.aborted && !ended.signal.aborted) {
        const number = next;
        next += 1;
        const plan = planClient(context.random('fax', number), number);
        // A preview belongs to the gateway that made it.
        await runClient(world, { ...plan, isPreviewed: false }, ended.signal);
      }
    }),
  );
  try {
    for (let number = 0; number < harms; number += 1) {
      const random = context.random('harm', number);
      await waitForActions(world, random.int(12));
      const harm = HARMS[number % HARMS.length] as Harm;
      await harmOnce(world, { fleet, services, random, harm });
      await pause(random.int(restMs + 1));
    }
    enough.abort();
    await restore(world, fleet, services);
    await sending();
  } finally {
    ended.abort();
    await services.proxy.open();
    await services.server.start();
  }
  await sending();
  await background();
  return { faults: harms };
}

async function harmOnce(
  world: World,
  { fleet, services, random, harm }: { fleet: Fleet; services: Services; random: Random; harm: Harm },
): Promise<void> {
  const place = random.int(fleet.size);
  const lastsMs = 200 + random.int(4_000);
  const gateway = fleet.at(place);
  switch (harm) {
    case 'kill':
      world.kills += 1;
      await gateway.kill();
      await pause(lastsMs);
      return fleet.start(place);
    case 'stop':
      await world.stop(gateway);
      await pause(lastsMs);
      return fleet.start(place);
    case 'pause':
    case 'long pause':
      gateway.signal('SIGSTOP');
      await pause(harm === 'pause' ? lastsMs : LONG_PAUSE_MS);
      return gateway.signal('SIGCONT');
    case 'database': {
      const kind = random.pick(DATABASE_FAULTS);
      await injectDatabaseFault(world, services, { kind, lastsMs });
      return expectAllAlive(fleet);
    }
    case 'storage':
      await harmStorage(services.s3, random, lastsMs);
      return expectAllAlive(fleet);
    default:
      return harm satisfies never;
  }
}

async function harmStorage(s3: S3Server, random: Random, lastsMs: number): Promise<void> {
  const kind = random.pick(STORAGE_FAULTS);
  if (kind === 'away') {
    await s3.close();
    await pause(lastsMs);
    return s3.open();
  }
  s3.fail(kind);
  await pause(lastsMs);
  s3.clear();
}

/** No fault of the database or the storage ends a gateway. */
function expectAllAlive(fleet: Fleet): void {
  for (let place = 0; place < fleet.size; place += 1) {
    const { isRunning, output } = fleet.at(place);
    if (!isRunning) throw new Error(`gateway ${place} ended: ${output.slice(-800)}`);
  }
}

/** All gateways run, both services answer, and one of the gateways does the background work. */
async function restore(world: World, fleet: Fleet, { s3 }: Services): Promise<void> {
  s3.clear();
  for (let place = 0; place < fleet.size; place += 1) {
    fleet.at(place).signal('SIGCONT');
    await fleet.start(place);
  }
  await fleet.waitForWork();
  for (const vendor of world.vendors) await vendor.clearFaults();
}
