import { type Episode, type EpisodeContext, judged, openWorld } from '../episode.ts';
import { errandOf, runErrand } from '../world/client.ts';
import { runProviders } from '../world/provider-side.ts';
import { together } from '../world/together.ts';
import { blowOf, strike, troubleProviders } from '../world/trouble.ts';
import type { World } from '../world/world.ts';

const SIZES = { small: { faxes: 8, clients: 3, blows: 3 }, large: { faxes: 60, clients: 5, blows: 14 } };

/** Everything at once: sending and receiving, kills, providers in trouble, forged reports, a clock that jumps. */
export const storm: Episode = {
  name: 'storm',
  summary:
    'sending and receiving through kills, pauses, faults of providers, forged reports and jumps of the clock',
  stores: ['sqlite', 'postgres'],
  unavailable: () => null,
  run: async (context) => judged(await openWorld(context), (world) => rage(world, context)),
};

async function rage(world: World, context: EpisodeContext): Promise<void> {
  const { faxes, clients, blows } = SIZES[context.size];
  const ended = new AbortController();
  const errands = Array.from({ length: faxes }, (_, number) =>
    errandOf(context.random('fax', number), number),
  );
  const around = together([
    runProviders(world, context.random('providers'), ended.signal),
    troubleProviders(world, context.random('trouble'), ended.signal),
  ]);
  const sending = together(
    Array.from({ length: clients }, async (_, client) => {
      for (let next = client; next < errands.length; next += clients)
        await runErrand(world, errands[next] as never, ended.signal);
    }),
  );
  // Half of the storms in which the gateway polls for received faxes leave its clock alone; then none may be missing.
  const mayJump = world.isReachable || context.random('clock').chance(50);
  try {
    for (let number = 0; number < blows; number += 1) {
      const blow = blowOf(context.random('blow', number));
      await switchProvider(world, context, number);
      await strike(world, blow);
      if (mayJump) world.jump(blow.jumpMs);
    }
    await calm(world);
    await sending();
  } finally {
    ended.abort();
  }
  await sending();
  await around();
}

/** A person changes the provider for new faxes; those that were accepted keep theirs. */
async function switchProvider(world: World, context: EpisodeContext, number: number): Promise<void> {
  const random = context.random('provider', number);
  const changes = { FAX_BACKEND: random.pick(['cloudone', 'cloudtwo']) };
  if (!random.chance(30) || !world.gateway?.url) return;
  await world.ask('PUT', '/admin/settings', { json: { changes }, timeoutMs: 2_000 });
}

/** The rest is sent without further blows. */
async function calm(world: World): Promise<void> {
  if (!world.gateway?.isRunning && !(await world.start())) throw new Error('the gateway did not start');
  for (const vendor of world.vendors) await vendor.heal();
}
