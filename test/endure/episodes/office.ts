import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import { planClient, runClient } from '../world/client.ts';
import { chooseInterruption, interrupt } from '../world/interruptions.ts';
import { advanceToNextDay, Office } from '../world/office.ts';
import { runProviders } from '../world/provider-side.ts';
import { runInBackground } from '../world/run-in-background.ts';
import { settleWorld } from '../world/settle-world.ts';
import type { World } from '../world/world.ts';

const SIZES = {
  small: { faxes: 6, clients: 2, interruptions: 2 },
  large: { faxes: 50, clients: 4, interruptions: 8 },
};

/** Office work with faxes: they leave by another route, are held by a limit, sent by e-mail, and worked on. */
export const office: Episode = {
  name: 'office',
  summary: 'e-mail, routes, a spending limit and work items, through kills and a mail server that breaks off',
  stores: ['sqlite', 'postgres'],
  unavailable: () => null,
  run: async (context) =>
    runAndJudge(await openWorld(context, { isReachable: true }), (world) => runOffice(world, context)),
};

/** `faults` counts busy numbers, faxes that were let go, finished work items and e-mails that the server kept. */
async function runOffice(world: World, context: EpisodeContext): Promise<{ faults: number }> {
  advanceToNextDay(world);
  if (!(await world.start())) throw new Error('the gateway does not start');
  const fixture = await Office.open(world);
  try {
    await runWithInterruptions(world, fixture, context);
    fixture.allowNextRoutes();
    await settleWorld(world);
    await fixture.settle();
    const received = await fixture.received();
    world.complaints.push(...(await fixture.complaints(received)));
    if (process.env['ENDURE_SHOW']) process.stderr.write(`${fixture.formatFigures()}\n`);
    return { faults: fixture.actionCount };
  } finally {
    await fixture.mail.close();
  }
}

async function runWithInterruptions(world: World, fixture: Office, context: EpisodeContext): Promise<void> {
  const { faxes, clients, interruptions } = SIZES[context.size];
  const ended = new AbortController();
  const plans = Array.from({ length: faxes }, (_, number) =>
    planClient(context.random('fax', number), number),
  );
  const background = runInBackground([
    runProviders(world, context.random('providers'), ended.signal),
    fixture.work(context.random('work'), ended.signal),
  ]);
  const sending = runInBackground(
    Array.from({ length: clients }, async (_, client) => {
      for (let next = client; next < plans.length; next += clients)
        await runClient(world, plans[next] as never, ended.signal);
    }),
  );
  try {
    for (let number = 0; number < interruptions; number += 1)
      await interrupt(world, chooseInterruption(context.random('blow', number)));
    if (!world.gateway?.isRunning && !(await world.start())) throw new Error('the gateway did not start');
    await sending();
  } finally {
    ended.abort();
  }
  await sending();
  await background();
}
