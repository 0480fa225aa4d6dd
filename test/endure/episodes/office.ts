import { type Episode, type EpisodeContext, judged, openWorld } from '../episode.ts';
import { errandOf, runErrand } from '../world/client.ts';
import { heal } from '../world/healing.ts';
import { goToNextDay, Office } from '../world/office.ts';
import { runProviders } from '../world/provider-side.ts';
import { together } from '../world/together.ts';
import { blowOf, strike } from '../world/trouble.ts';
import type { World } from '../world/world.ts';

const SIZES = { small: { faxes: 6, clients: 2, blows: 2 }, large: { faxes: 50, clients: 4, blows: 8 } };

/** Office work with faxes: they leave by another route, are held by a limit, sent by e-mail, and worked on. */
export const office: Episode = {
  name: 'office',
  summary: 'e-mail, routes, a spending limit and work items, through kills and a mail server that breaks off',
  stores: ['sqlite', 'postgres'],
  unavailable: () => null,
  run: async (context) =>
    judged(await openWorld(context, { isReachable: true }), (world) => goOn(world, context)),
};

/** `faults` counts busy numbers, faxes that were let go, finished work items and e-mails that the server kept. */
async function goOn(world: World, context: EpisodeContext): Promise<{ faults: number }> {
  goToNextDay(world);
  if (!(await world.start())) throw new Error('the gateway does not start');
  const there = await Office.open(world);
  try {
    await disturb(world, there, context);
    there.allowNextRoutes();
    await heal(world);
    await there.settle();
    const received = await there.received();
    world.complaints.push(...(await there.complaints(received)));
    if (process.env['ENDURE_SHOW']) process.stderr.write(`${there.figures()}\n`);
    return { faults: there.deeds };
  } finally {
    await there.mail.close();
  }
}

async function disturb(world: World, there: Office, context: EpisodeContext): Promise<void> {
  const { faxes, clients, blows } = SIZES[context.size];
  const ended = new AbortController();
  const errands = Array.from({ length: faxes }, (_, number) =>
    errandOf(context.random('fax', number), number),
  );
  const around = together([
    runProviders(world, context.random('providers'), ended.signal),
    there.work(context.random('work'), ended.signal),
  ]);
  const sending = together(
    Array.from({ length: clients }, async (_, client) => {
      for (let next = client; next < errands.length; next += clients)
        await runErrand(world, errands[next] as never, ended.signal);
    }),
  );
  try {
    for (let number = 0; number < blows; number += 1)
      await strike(world, blowOf(context.random('blow', number)));
    if (!world.gateway?.isRunning && !(await world.start())) throw new Error('the gateway did not start');
    await sending();
  } finally {
    ended.abort();
  }
  await sending();
  await around();
}
