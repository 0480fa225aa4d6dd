import type { Random } from '../../fuzz/random.ts';
import { planClient, runClient } from './client.ts';
import { receiveFax } from './provider-side.ts';
import { settleWorld } from './settle-world.ts';
import type { World } from './world.ts';

/** Sends and receives some faxes on a gateway that is well, and waits until all of them are settled. */
export async function populate(
  world: World,
  { from, count, random }: { from: number; count: number; random: Random },
): Promise<void> {
  const signal = new AbortController().signal;
  for (let number = from; number < from + count; number += 1) {
    await runClient(world, { ...planClient(random, number), cancelAfterMs: null, afterMs: 0 }, signal);
    const vendor = random.pick(world.vendors);
    if (number % 2 === 0) await receiveFax(world, vendor, { number, isForged: false, isBare: false });
  }
  await settleWorld(world);
}

/** The numbers of all faxes that the gateway has, in order; null when it cannot be asked. */
export async function listFaxNumbers(world: World): Promise<string[] | null> {
  const answer = await world.request('GET', '/fax?limit=100');
  if (answer?.status !== 200) return null;
  const { items } = answer.body as { items: { to: string }[] };
  return items.map(({ to }) => to).sort();
}
