import type { Locator, Page } from 'playwright';
import { type Fax, textFile } from '../setup/gateway.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import type { TestConsole } from './console.ts';

/** Returns another number for each call, so that the rows of several tests differ: `+12025550140` up to `…0198`. */
let last = 139;
export function nextNumber(): { e164: string; shown: string } {
  last += 1;
  return { e164: `+12025550${last}`, shown: `+1 202 555 0${last}` };
}

/** The row of a number in the list. */
export function rowOf(page: Page, shown: string): Locator {
  return page.getByRole('grid', { name: 'Sent faxes' }).getByRole('row').filter({ hasText: shown });
}

export function details(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Fax' });
}

/** A fax that the provider has, not ended. */
export async function sendingFax({ gateway }: TestConsole, to: string): Promise<Fax> {
  const { id } = await gateway.send({ to });
  await gateway.processAll();
  return gateway.fax(id);
}

/** Ends a fax at the provider and lets the gateway see it. */
export async function endFax({ gateway }: TestConsole, fax: Fax, failure?: string): Promise<void> {
  const error = failure === undefined ? {} : { errorId: 42, errorType: 'lineError', errorMessage: failure };
  gateway.emulator.complete(fax.provider_sid ?? '', { ...error, cost: 19 });
  await gateway.request('POST', `/fax/${fax.id}/refresh`);
}

export async function deliveredFax(webConsole: TestConsole, to: string): Promise<Fax> {
  const fax = await sendingFax(webConsole, to);
  await endFax(webConsole, fax);
  return webConsole.gateway.fax(fax.id);
}

/** Creates a fax of three pages of which the provider confirms only the first, so that it needs confirmation. */
export async function partlyDeliveredFax({ gateway }: TestConsole, to: string): Promise<Fax> {
  const answer = await gateway.sendForm({ to }, [textFile('one\ftwo\fthree\n')]);
  const { id } = (await answer.json()) as Fax;
  await gateway.processAll();
  const { provider_sid } = await gateway.fax(id);
  gateway.emulator.complete(String(provider_sid), { status: 'success', pages: 1 });
  gateway.clock.advance(MINUTE);
  await gateway.processAll();
  return gateway.fax(id);
}

/** Creates a fax that needs confirmation: the provider may or may not have accepted it. */
export async function unconfirmedFax({ gateway }: TestConsole, to: string): Promise<Fax> {
  // A fax of an earlier test would meet the fault.
  await gateway.processAll();
  gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
  const { id } = await gateway.send({ to });
  await gateway.processAll();
  return gateway.fax(id);
}

/** A fax that waits for a person; sending is on again afterwards. */
export async function heldFax({ gateway }: TestConsole, to: string): Promise<Fax> {
  await gateway.set({ FAX_DISABLED: true });
  const fax = await gateway.send({ to });
  await gateway.set({ FAX_DISABLED: false });
  return fax;
}

/** A fax whose number was busy, of which the next route has begun an attempt, or waits where sending is off. */
export async function reroutedFax({ gateway }: TestConsole, to: string, isOff = false): Promise<Fax> {
  for (const [at, name] of ['One', 'Two'].entries()) {
    const route = { name, backend: 'cloudone', prefixes: [to], priority: at + 1, next_allowed: true };
    await gateway.request('POST', '/routing/routes', { json: route });
  }
  const { id } = await gateway.send({ to });
  await gateway.processAll();
  const { provider_sid } = await gateway.fax(id);
  gateway.emulator.complete(String(provider_sid), { status: 'failure', errorType: 'lineError', errorId: 17 });
  if (isOff) await gateway.set({ FAX_DISABLED: true });
  gateway.clock.advance(MINUTE);
  await gateway.processAll();
  if (isOff) await gateway.set({ FAX_DISABLED: null });
  return { ...(await gateway.fax(id)), provider_sid };
}

/** Has the provider report the first attempt as delivered after all, when it is queried for the cost. */
export async function deliverFirst({ gateway }: TestConsole, first: string | null): Promise<void> {
  gateway.emulator.complete(String(first), {});
  gateway.clock.advance(2 * HOUR);
  await gateway.processAll();
}
