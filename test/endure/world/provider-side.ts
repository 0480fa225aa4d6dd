import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import { pagePdf } from './client.ts';
import { digestOf, type Vendor } from './vendor.ts';
import type { World } from './world.ts';

/** Simulates the providers and their customers until the signal aborts. */
export async function runProviders(world: World, random: Random, signal: AbortSignal): Promise<void> {
  for (let number = 1; !signal.aborted; number += 1) {
    const vendor = random.pick(world.vendors);
    const step = { action: random.int(10), isForged: random.chance(30), isBare: random.chance(50) };
    const isSuccess = random.chance(85);
    const waitMs = 50 + random.int(200);
    const turn = random.int(1_000);
    if (step.action < 6) await completeFax(world, vendor, { turn, isSuccess, isForged: step.isForged });
    else if (step.action < 8) await receiveFax(world, vendor, { number, ...step });
    else await repeatReport(world, vendor, turn);
    await pause(waitMs);
  }
}

const urlOf = (world: World) => world.address;

/** Ends a fax at the provider, which reports it twice; a forged report may come before. */
export async function completeFax(
  world: World,
  vendor: Vendor,
  options: { turn: number; isSuccess: boolean; isForged: boolean },
): Promise<void> {
  const open = vendor.sent().filter(({ state }) => state === 'open');
  const fax = open[options.turn % Math.max(1, open.length)];
  if (!fax) return;
  if (options.isForged) await vendor.report(fax.id, urlOf(world), { isForged: true });
  const hasDocument = await vendor.fetchDocument(fax.id, urlOf(world));
  if (!hasDocument && options.isSuccess) return;
  // While it fetched the document the number may have been busy, and that stays so.
  if (vendor.sent().find(({ id }) => id === fax.id)?.state !== 'open') return;
  vendor.complete(fax.id, options.isSuccess);
  await vendor.report(fax.id, urlOf(world), {});
}

export async function receiveFax(
  world: World,
  vendor: Vendor,
  options: { number: number; isForged: boolean; isBare: boolean },
): Promise<void> {
  const document = pagePdf(`${vendor.name} ${options.number}`, options.number % 7 === 0 ? 200_000 : 0);
  const id = vendor.receive(document, 1);
  const sha256 = digestOf(document);
  const fax = { vendor: vendor.name, id, pages: 1, sha256, isAcknowledged: false };
  world.incoming.push(fax);
  if (!world.isReachable) return;
  if (options.isForged) await vendor.notify(id, urlOf(world), { isForged: true });
  fax.isAcknowledged = await vendor.notify(id, urlOf(world), { omitsDocument: options.isBare });
}

/** Late, early and for the second time: a report of any fax, and a notification of any that came in. */
async function repeatReport(world: World, vendor: Vendor, turn: number): Promise<void> {
  const sent = vendor.sent();
  const fax = sent[turn % Math.max(1, sent.length)];
  if (fax) await vendor.report(fax.id, urlOf(world), {});
  if (!world.isReachable) return;
  const received = world.incoming.filter((each) => each.vendor === vendor.name);
  const again = received[turn % Math.max(1, received.length)];
  if (!again) return;
  const isAcknowledged = await vendor.notify(again.id, urlOf(world), {});
  again.isAcknowledged ||= isAcknowledged;
}
