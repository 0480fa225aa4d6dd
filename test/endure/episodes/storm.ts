import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import { planClient, runClient } from '../world/client.ts';
import { chooseInterruption, disturbProviders, interrupt } from '../world/interruptions.ts';
import { runProviders } from '../world/provider-side.ts';
import { runInBackground } from '../world/run-in-background.ts';
import type { World } from '../world/world.ts';

const SIZES = {
  small: { faxes: 8, clients: 3, interruptions: 3 },
  large: { faxes: 60, clients: 5, interruptions: 14 },
};

/** Everything at once: sending and receiving, kills, providers in trouble, forged reports, a clock that jumps. */
export const storm: Episode = {
  name: 'storm',
  summary:
    'sending and receiving through kills, pauses, faults of providers, forged reports and jumps of the clock',
  stores: ['sqlite', 'postgres'],
  unavailable: () => null,
  run: async (context) => runAndJudge(await openWorld(context), (world) => runStorm(world, context)),
};

async function runStorm(world: World, context: EpisodeContext): Promise<void> {
  const { faxes, clients, interruptions } = SIZES[context.size];
  const ended = new AbortController();
  const plans = Array.from({ length: faxes }, (_, number) =>
    planClient(context.random('fax', number), number),
  );
  const background = runInBackground([
    runProviders(world, context.random('providers'), ended.signal),
    disturbProviders(world, context.random('trouble'), ended.signal),
  ]);
  const sending = runInBackground(
    Array.from({ length: clients }, async (_, client) => {
      for (let next = client; next < plans.length; next += clients)
        await runClient(world, plans[next] as never, ended.signal);
    }),
  );
  // Half of the storms in which the gateway polls for received faxes leave its clock alone; then none may be missing.
  const mayJump = world.isReachable || context.random('clock').chance(50);
  try {
    for (let number = 0; number < interruptions; number += 1) {
      const interruption = chooseInterruption(context.random('blow', number));
      await switchProvider(world, context, number);
      await interrupt(world, interruption);
      if (mayJump) world.jump(interruption.jumpMs);
    }
    await restoreService(world);
    await sending();
  } finally {
    ended.abort();
  }
  await sending();
  await background();
}

/** A person changes the provider for new faxes; those that were accepted keep theirs. */
async function switchProvider(world: World, context: EpisodeContext, number: number): Promise<void> {
  const random = context.random('provider', number);
  const changes = { FAX_BACKEND: random.pick(['cloudone', 'cloudtwo']) };
  if (!random.chance(30) || !world.gateway?.url) return;
  await world.request('PUT', '/admin/settings', { json: { changes }, timeoutMs: 2_000 });
}

/** The rest is sent without further interruptions. */
async function restoreService(world: World): Promise<void> {
  if (!world.gateway?.isRunning && !(await world.start())) throw new Error('the gateway did not start');
  for (const vendor of world.vendors) await vendor.clearFaults();
}
