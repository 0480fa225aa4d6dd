import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Random } from '../../fuzz/random.ts';
import { type CutOffProxy, startCutOffProxy } from '../../setup/cut-off-proxy.ts';
import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import { planClient, runClient } from '../world/client.ts';
import type { DurablePostgres } from '../world/durable-postgres.ts';
import { waitForActions } from '../world/interruptions.ts';
import { runProviders } from '../world/provider-side.ts';
import { runInBackground } from '../world/run-in-background.ts';
import type { World } from '../world/world.ts';

const SIZES = { small: { faxes: 6, harms: 5 }, large: { faxes: 50, harms: 15 } };
const DATABASE_FAULTS = ['stop', 'crash', 'freeze', 'cut', 'terminate'] as const;
export type DatabaseFault = (typeof DATABASE_FAULTS)[number];

/** PostgreSQL with its usual durability goes away under load, in every way, and comes back. */
export const database: Episode = {
  name: 'database',
  summary: 'PostgreSQL stopped, crashed, frozen, cut off, its connections ended, under load',
  stores: ['postgres'],
  unavailable: () => null,
  run: async (context) => {
    const { server } = context;
    if (!server) throw new Error('this episode needs a server of its own');
    const proxy = await startCutOffProxy({ host: '127.0.0.1', port: server.port });
    const mapDatabaseUrl = (url: string) => {
      const changed = new URL(url);
      changed.port = String(proxy.port);
      return changed.href;
    };
    try {
      const world = await openWorld(context, { mapDatabaseUrl });
      return await runAndJudge(world, () => injectFaults(world, context, { server, proxy }));
    } finally {
      await proxy.close();
    }
  },
};

export interface Database {
  readonly server: DurablePostgres;
  readonly proxy: CutOffProxy;
}

async function injectFaults(
  world: World,
  context: EpisodeContext,
  target: Database,
): Promise<{ faults: number }> {
  const { faxes, harms } = SIZES[context.size];
  if (!(await world.start())) throw new Error('the gateway does not start');
  const ended = new AbortController();
  const background = runInBackground([runProviders(world, context.random('providers'), ended.signal)]);
  const sending = runInBackground(
    [0, 1, 2, 3].map(async (client) => {
      for (let next = client; next < faxes; next += 4)
        await runClient(world, planClient(context.random('fax', next), next), ended.signal);
    }),
  );
  try {
    for (let number = 0; number < harms; number += 1) {
      const random = context.random('harm', number);
      await waitForActions(world, random.int(8));
      // Each kind has its turn.
      await injectDatabaseFault(world, target, {
        kind: DATABASE_FAULTS[number % DATABASE_FAULTS.length] as DatabaseFault,
        lastsMs: 200 + random.int(1_500),
      });
      await expectAlive(world, random);
    }
    await sending();
  } finally {
    ended.abort();
    await target.proxy.open();
    await target.server.start();
  }
  await sending();
  await background();
  return { faults: harms };
}

/** Does one harm to the database and takes it back. */
export async function injectDatabaseFault(
  world: World,
  { server, proxy }: Database,
  { kind, lastsMs }: { kind: DatabaseFault; lastsMs: number },
): Promise<void> {
  switch (kind) {
    case 'stop':
    case 'crash':
      await server.halt(kind === 'stop' ? 'fast' : 'immediate');
      await pause(lastsMs);
      return server.start();
    case 'freeze':
      proxy.freeze();
      await pause(lastsMs);
      return proxy.open();
    case 'cut':
      await proxy.cut();
      await pause(lastsMs);
      return proxy.open();
    case 'terminate':
      return terminateConnections(world);
    default:
      return kind satisfies never;
  }
}

async function terminateConnections({ databaseUrl }: World): Promise<void> {
  const client = new Client({ connectionString: databaseUrl ?? '' });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

/** Throws when the gateway ended with its database. Sometimes kills it as well, and starts it again. */
async function expectAlive(world: World, random: Random): Promise<void> {
  if (!world.gateway?.isRunning)
    throw new Error(`the gateway ended with its database: ${world.gateway?.output.slice(-800)}`);
  if (!random.chance(20)) return;
  await world.kill();
  if (!(await world.start())) throw new Error('the gateway does not start');
}
