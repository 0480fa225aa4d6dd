import type { Locator, Page } from 'playwright';
import type { Fax } from '../setup/gateway.ts';
import type { TestConsole } from './console.ts';

/** A number per call, so that rows of several tests are told apart: `+12025550140` up to `…0198`. */
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
export async function goingFax({ desk }: TestConsole, to: string): Promise<Fax> {
  const { id } = await desk.send({ to });
  await desk.gateway.processAll();
  return desk.fax(id);
}

/** Ends a fax at the provider and lets the gateway see it. */
export async function endFax({ desk }: TestConsole, fax: Fax, failure?: string): Promise<void> {
  const error = failure === undefined ? {} : { errorId: 42, errorType: 'lineError', errorMessage: failure };
  desk.emulator.complete(fax.provider_sid ?? '', { ...error, cost: 19 });
  await desk.request('POST', `/fax/${fax.id}/refresh`);
}

export async function deliveredFax(desk: TestConsole, to: string): Promise<Fax> {
  const fax = await goingFax(desk, to);
  await endFax(desk, fax);
  return desk.desk.fax(fax.id);
}

/** A fax of which nobody knows whether the provider took it. */
export async function doubtfulFax({ desk }: TestConsole, to: string): Promise<Fax> {
  desk.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
  const { id } = await desk.send({ to });
  await desk.gateway.processAll();
  return desk.fax(id);
}

/** A fax that waits for a person; sending is on again afterwards. */
export async function heldFax({ desk }: TestConsole, to: string): Promise<Fax> {
  await desk.set({ FAX_DISABLED: true });
  const fax = await desk.send({ to });
  await desk.set({ FAX_DISABLED: false });
  return fax;
}
