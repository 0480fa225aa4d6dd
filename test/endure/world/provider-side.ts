import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import { pagePdf } from './client.ts';
import { digestOf, type Vendor } from './vendor.ts';
import type { World } from './world.ts';

/** Simulates the providers and their customers until the signal aborts. */
export async function runProviders(world: World, random: Random, signal: AbortSignal): Promise<void> {
  for (let number = 1; !signal.aborted; number += 1) {
    const vendor = random.pick(world.vendors);
    const step = { deed: random.int(10), isForged: random.chance(30), isBare: random.chance(50) };
    const isSuccess = random.chance(85);
    const waitMs = 50 + random.int(200);
    const turn = random.int(1_000);
    if (step.deed < 6) await endOne(world, vendor, { turn, isSuccess, isForged: step.isForged });
    else if (step.deed < 8) await receiveOne(world, vendor, { number, ...step });
    else await reportAgain(world, vendor, turn);
    await pause(waitMs);
  }
}

const urlOf = (world: World) => world.address;

/** Ends a fax at the provider, which reports it twice; a forged report may come before. */
export async function endOne(
  world: World,
  vendor: Vendor,
  how: { turn: number; isSuccess: boolean; isForged: boolean },
): Promise<void> {
  const open = vendor.sent().filter(({ state }) => state === 'open');
  const fax = open[how.turn % Math.max(1, open.length)];
  if (!fax) return;
  if (how.isForged) await vendor.report(fax.id, urlOf(world), { isForged: true });
  const hasDocument = await vendor.fetchDocument(fax.id, urlOf(world));
  if (!hasDocument && how.isSuccess) return;
  // While it fetched the document the number may have been busy, and that stays so.
  if (vendor.sent().find(({ id }) => id === fax.id)?.state !== 'open') return;
  vendor.complete(fax.id, how.isSuccess);
  await vendor.report(fax.id, urlOf(world), {});
}

export async function receiveOne(
  world: World,
  vendor: Vendor,
  how: { number: number; isForged: boolean; isBare: boolean },
): Promise<void> {
  const document = pagePdf(`${vendor.name} ${how.number}`, how.number % 7 === 0 ? 200_000 : 0);
  const id = vendor.receive(document, 1);
  const sha256 = digestOf(document);
  const fax = { vendor: vendor.name, id, pages: 1, sha256, isAcknowledged: false };
  world.incoming.push(fax);
  if (!world.isReachable) return;
  if (how.isForged) await vendor.notify(id, urlOf(world), { isForged: true });
  fax.isAcknowledged = await vendor.notify(id, urlOf(world), { isBare: how.isBare });
}

/** Late, early and for the second time: a report of any fax, and a notification of any that came in. */
async function reportAgain(world: World, vendor: Vendor, turn: number): Promise<void> {
  const sent = vendor.sent();
  const fax = sent[turn % Math.max(1, sent.length)];
  if (fax) await vendor.report(fax.id, urlOf(world), {});
  if (!world.isReachable) return;
  const came = world.incoming.filter((each) => each.vendor === vendor.name);
  const again = came[turn % Math.max(1, came.length)];
  if (!again) return;
  const isAcknowledged = await vendor.notify(again.id, urlOf(world), {});
  again.isAcknowledged ||= isAcknowledged;
}
