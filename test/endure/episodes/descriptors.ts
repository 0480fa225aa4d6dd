import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import { planClient, runClient } from '../world/client.ts';
import { runProviders } from '../world/provider-side.ts';
import { runInBackground } from '../world/run-in-background.ts';
import type { World } from '../world/world.ts';

const SIZES = { small: { faxes: 5, floods: 2 }, large: { faxes: 30, floods: 8 } };
/** So few that connections, documents and the store contend for them. */
const DESCRIPTORS = 140;

/** The gateway may open few files, and idle connections take many of them. */
export const descriptors: Episode = {
  name: 'descriptors',
  summary: 'a gateway that may open few files, while idle connections take what there is',
  stores: ['sqlite', 'postgres'],
  unavailable: () => (process.platform === 'win32' ? 'limits of open files are set by a shell' : null),
  run: async (context) =>
    runAndJudge(await openWorld(context), (world) => exhaustDescriptors(world, context)),
};

async function exhaustDescriptors(world: World, context: EpisodeContext): Promise<{ faults: number }> {
  const { faxes, floods } = SIZES[context.size];
  // The number of descriptors that a start needs is not fixed; a gateway that cannot start reports it.
  world.descriptors = DESCRIPTORS;
  if (!(await world.start())) throw new Error(`the gateway does not start with ${DESCRIPTORS} files`);
  const ended = new AbortController();
  const background = runInBackground([runProviders(world, context.random('providers'), ended.signal)]);
  const sending = runInBackground(
    Array.from({ length: faxes }, (_, number) =>
      runClient(world, planClient(context.random('fax', number), number), ended.signal),
    ),
  );
  try {
    for (let number = 0; number < floods; number += 1) {
      const random = context.random('flood', number);
      await flood(world, 100 + random.int(100), 200 + random.int(600));
    }
    await sending();
  } finally {
    ended.abort();
  }
  await sending();
  await background();
  world.descriptors = null;
  await world.stop();
  return { faults: floods };
}

/** Connections that say nothing, for a while. */
async function flood(world: World, count: number, lastsMs: number): Promise<void> {
  const { hostname, port } = new URL(world.address);
  const sockets = Array.from({ length: count }, (): Socket => {
    const socket = connect(Number(port), hostname);
    // A gateway at its limit closes the connection.
    return socket.on('error', () => socket.destroy());
  });
  await pause(lastsMs);
  for (const socket of sockets) socket.destroy();
}
