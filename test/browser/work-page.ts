import type { Locator, Page } from 'playwright';
import { MANAGER } from '../api/work-setup.ts';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { SECOND } from '../setup/manual-clock.ts';
import type { TestConsole } from './console.ts';
import { arrive, nextSender } from './inbox-page.ts';

export const items = (page: Page): Locator => page.getByRole('grid', { name: 'Work items' });

export const itemOf = (page: Page, shown: string): Locator =>
  items(page).getByRole('row').filter({ hasText: shown });

/** The fax of the item that is open, with what can be done. */
export const openItem = (page: Page): Locator => page.getByRole('region', { name: 'Fax', exact: true });

/** Of whom the item is that is open. */
export const openSender = (page: Page): Locator => openItem(page).getByRole('heading', { level: 2 });

/** Returns the region with the state and owner of the open item. */
export const stateRegion = (page: Page): Locator => page.getByRole('region', { name: 'This work item' });

/** A tab with its count: `Unassigned 4`. */
export const tab = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: 'View' }).getByRole('button', { name: new RegExp(`^${name}`, 'u') });

/** Faxes that come in, the last one first in the list; answers the numbers as they are shown. */
export async function arriveMany(webConsole: TestConsole, count: number): Promise<readonly string[]> {
  const senders: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { e164, shown } = nextSender();
    webConsole.gateway.clock.advance(SECOND);
    await arrive(webConsole, { from: e164 });
    senders.unshift(shown);
  }
  return senders;
}

/** Somebody who can own every item, with a key to sign in with. */
export async function colleague(webConsole: TestConsole, name: string): Promise<Person> {
  const installation = [...MANAGER, 'work:read'];
  return new MailboxPeople(webConsole.gateway).addUser(name, { installation: [...new Set(installation)] });
}

interface KnownItem {
  readonly id: string;
  readonly version: number;
  readonly inbound_fax_id: string;
  readonly state_key: string;
  readonly owner: { readonly name: string } | null;
  readonly from_number: string | null;
}

/** Returns the work item of the fax from this number. */
export async function itemFrom(webConsole: TestConsole, shown: string): Promise<KnownItem> {
  const answer = await webConsole.gateway.request('GET', '/work?limit=200');
  const { items: all } = (await answer.json()) as { items: KnownItem[] };
  const digits = shown.replace(/\D/gu, '');
  const item = all.find(({ from_number }) => from_number?.replace(/\D/gu, '') === digits);
  if (!item) throw new Error(`no item from ${shown}`);
  return item;
}
