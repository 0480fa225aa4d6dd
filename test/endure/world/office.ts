import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import { type MailServer, startMailServer } from '../../setup/mail-server.ts';
import { DAY, MINUTE } from '../../setup/manual-clock.ts';
import type { World } from './world.ts';

const RECIPIENTS = ['front@example.org', 'back@example.org'];
/** Cost of a page by the rate cards and as the providers charge it, and the limit of a day; in cents. */
const CENTS = { page: 7, day: 210 };
const PREFIX = '+1202';

interface Item {
  readonly id: string;
  readonly version: number;
  readonly state_key: string;
  readonly inbound_fax_id: string;
}

interface Delivery {
  readonly fax_id: string;
  readonly state: string;
  readonly sentence: string | null;
  readonly message_id: string;
  readonly recipients: readonly { readonly address: string; readonly state: string }[];
}

/** Office features beside sending and receiving: e-mail connectors, routes, a spending limit, and people with work. */
export class Office {
  readonly mail: MailServer;
  readonly #world: World;
  readonly #firstDay: number;
  /** Faxes that a person released over the limit, and work items that were answered as done. */
  readonly released = new Set<string>();
  readonly done = new Set<string>();
  /** Numbers that the providers found busy: only after those may another route follow. */
  readonly busy = new Set<string>();

  constructor(world: World, mail: MailServer) {
    this.#world = world;
    this.#firstDay = dayOf(world);
    this.mail = mail;
  }

  static async open(world: World): Promise<Office> {
    const office = new Office(world, await startMailServer());
    await office.#post('/intake/connectors', {
      name: 'Desk',
      host: '127.0.0.1',
      port: office.mail.port,
      security: 'none',
      from_address: 'fax@example.org',
      recipients: RECIPIENTS,
    });
    for (const [i, backend] of ['cloudone', 'cloudtwo'].entries()) {
      const route = { name: backend, backend, prefixes: [PREFIX], priority: i + 1, next_allowed: true };
      await office.#post('/routing/routes', { ...route, account: null });
      const card = { backend, currency: 'USD', prefixes: [PREFIX], per_page: (CENTS.page / 100).toFixed(2) };
      await office.#post('/routing/rate-cards', card);
    }
    const changes = { SPENDING_CURRENCY: 'USD', SPENDING_DAY: (CENTS.day / 100).toFixed(2) };
    const set = await world.request('PUT', '/admin/settings', { json: { changes } });
    if (set?.status !== 200) throw new Error(`the limit was answered ${set?.status}`);
    return office;
  }

  async #post(path: string, json: unknown): Promise<void> {
    const answer = await this.#world.request('POST', path, { json });
    if (answer?.status !== 201)
      throw new Error(`${path} was answered ${answer?.status}: ${answer?.bytes.toString('utf8')}`);
  }

  /** Number of actions so far that could fail. */
  get actionCount(): number {
    return this.busy.size + this.released.size + this.done.size + this.mail.mails.length;
  }

  formatFigures(): string {
    const sent = this.#world.vendors.flatMap((vendor) => vendor.sent());
    const again = sent.length - new Set(sent.map(({ to }) => to)).size;
    return `${this.mail.mails.length} e-mails, ${this.busy.size} busy, ${again} by another route, ${this.released.size} let go, ${this.done.size} done`;
  }

  /** People do their work, and the mail server has its troubles, until the signal says that it is enough. */
  async work(random: Random, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const action = random.int(6);
      const turn = random.int(1_000);
      await pause(60 + random.int(120));
      if (action < 2) await this.#finish(turn);
      else if (action === 2) await this.#release(turn);
      else if (action === 3) await this.#setBusy(turn);
      else this.mail.faults = random.pick([{}, {}, { cut: 'after keeping' }, { cut: 'before data' }]);
    }
    this.mail.faults = {};
  }

  async #finish(turn: number): Promise<void> {
    const items = await this.#items();
    const item = items[turn % Math.max(1, items.length)];
    if (!item) return;
    const json = { version: item.version, note: 'Filed.' };
    const answer = await this.#world.request('POST', `/work/${item.id}/done`, { json, timeoutMs: 3_000 });
    if (answer?.status === 200) this.done.add(item.id);
  }

  async #release(turn: number): Promise<void> {
    const answer = await this.#world.request('GET', '/fax?state=held&limit=100', { timeoutMs: 3_000 });
    const { items = [] } = (answer?.body ?? {}) as {
      items?: { id: string; to: string; delivery_version: number }[];
    };
    const fax = items[turn % Math.max(1, items.length)];
    if (!fax) return;
    // Also one that is not answered may have been let go.
    this.released.add(fax.to);
    const json = { delivery_version: fax.delivery_version };
    await this.#world.request('POST', `/fax/${fax.id}/release`, { json, timeoutMs: 3_000 });
  }

  async #setBusy(turn: number): Promise<void> {
    const vendor = this.#world.vendors[turn % 2];
    const open = vendor?.sent().filter(({ state }) => state === 'open') ?? [];
    const fax = open[turn % Math.max(1, open.length)];
    if (!fax || !vendor) return;
    vendor.setBusy(fax.id);
    this.busy.add(`${vendor.name} ${fax.id}`);
    await vendor.report(fax.id, this.#world.address, {});
  }

  async #items(): Promise<Item[]> {
    return listAll<Item>(this.#world, '/work');
  }

  /** Waits, with time going on, until no e-mail is under way. */
  async settle(): Promise<void> {
    for (let step = 0; step < 40; step += 1) {
      const open = (await this.#deliveries()).filter(({ state }) => ['received', 'sending'].includes(state));
      if (open.length === 0) return;
      this.#world.advance(20 * 60_000);
      await pause(300);
    }
  }

  async #deliveries(): Promise<Delivery[]> {
    return listAll<Delivery>(this.#world, '/intake/items');
  }

  /** The ids of the received faxes that have their document. */
  async received(): Promise<string[]> {
    const faxes = await listAll<{ id: string; status: string }>(this.#world, '/inbound/page');
    return faxes.filter(({ status }) => status === 'received').map(({ id }) => id);
  }

  /** Lists the violations, one sentence each. */
  async complaints(received: readonly string[]): Promise<string[]> {
    return [
      ...this.#wrongMails(received, await this.#deliveries()),
      ...this.#wrongWork(received, await this.#items()),
      ...(await this.#wrongRoutes()),
    ];
  }

  #wrongMails(received: readonly string[], deliveries: readonly Delivery[]): string[] {
    const deliveryByFax = new Map(deliveries.map((each) => [each.fax_id, each]));
    const lost = received
      .filter((id) => !deliveryByFax.has(id))
      .map((id) => `no e-mail of the received fax ${id}: lost`);
    return [
      ...lost,
      ...(deliveryByFax.size === deliveries.length ? [] : ['a received fax has two e-mails: twice']),
      ...deliveries.flatMap(({ fax_id, state, sentence, message_id, recipients }) => {
        if (['received', 'sending'].includes(state))
          return [`the e-mail of ${fax_id} is still ${state}: stuck`];
        if (state !== 'delivered' && sentence === null)
          return [`the e-mail of ${fax_id} is ${state}, without a reason`];
        return recipients.flatMap((one) => {
          const copies = this.mail.mails.filter(
            ({ to, raw }) => to.includes(one.address) && raw.includes(message_id),
          );
          if (copies.length > 1)
            return [`${one.address} got the e-mail of ${fax_id} ${copies.length} times: twice`];
          return one.state === 'delivered' && copies.length === 0
            ? [`the e-mail of ${fax_id} is told as delivered to ${one.address}, who does not have it: false`]
            : [];
        });
      }),
    ];
  }

  #wrongWork(received: readonly string[], items: readonly Item[]): string[] {
    const counts = new Map<string, number>();
    for (const { inbound_fax_id: id } of items) counts.set(id, (counts.get(id) ?? 0) + 1);
    const undone = [...this.done].filter((id) => items.find((item) => item.id === id)?.state_key !== 'done');
    return [
      ...received
        .filter((id) => counts.get(id) !== 1)
        .map((id) => `the received fax ${id} has ${counts.get(id) ?? 0} work items`),
      ...undone.map((id) => `the work item ${id} was answered as done, and is not: lost`),
    ];
  }

  /** A fax goes on only after a failure that proves that no page left, and no more leave than the limit has room for. */
  async #wrongRoutes(): Promise<string[]> {
    const sent = this.#world.vendors.flatMap((vendor) => vendor.sent());
    const numbers = [...new Set(sent.map(({ to }) => to))];
    const twice = numbers.filter((to) => {
      const taken = sent.filter((fax) => fax.to === to);
      const arrived = taken.filter(({ state }) => state !== 'failure').length;
      const broken = taken.filter(
        ({ vendor, id, state }) => state === 'failure' && !this.busy.has(`${vendor} ${id}`),
      );
      // One may have been the last: nothing follows it.
      return arrived + broken.length > 1;
    });
    const arrived = sent.filter(({ to, state }) => state === 'success' && !this.released.has(to));
    // Each day has room again.
    const room = (CENTS.day / CENTS.page) * (dayOf(this.#world) - this.#firstDay + 1);
    return [
      ...(await Promise.all(twice.map((to) => this.#describeRepetition(to)))),
      ...(arrived.length > room ? [`${arrived.length} faxes left, and the limit has room for ${room}`] : []),
    ];
  }

  /** With what both sides say of it. */
  async #describeRepetition(to: string): Promise<string> {
    const taken = this.#world.vendors.flatMap((vendor) => vendor.sent()).filter((fax) => fax.to === to);
    const states = taken.map(({ vendor, id, state }) => {
      const wasBusy = this.busy.has(`${vendor} ${id}`) ? ' after it was busy' : '';
      return `${vendor} ${id} ${state}${wasBusy}`;
    });
    const id = this.#world.clients.find((fax) => fax.to === to)?.id;
    const history = (await this.#world.request('GET', `/fax/${id}/history`))?.bytes.toString('utf8');
    return `the fax to ${to} went on although it may have arrived: twice (${states.join(', ')}; ${history})`;
  }

  /** Faxes that went on by another route are no repetition. */
  allowNextRoutes(): void {
    for (const fax of this.#world.clients) fax.isSentAgain = true;
  }
}

/** Lets time go on to the beginning of the next day (UTC), so that all that follows is of one day where that is possible. */
export function advanceToNextDay(world: World): void {
  const now = Date.now() + world.aheadMs;
  world.advance(DAY - (now % DAY) + MINUTE);
}

const dayOf = ({ aheadMs }: World) => Math.floor((Date.now() + aheadMs) / DAY);

async function listAll<T>(world: World, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await world.request('GET', `${path}?limit=100${query}`, { timeoutMs: 5_000 });
    if (answer?.status !== 200) return items;
    const page = answer.body as { items: T[]; next_cursor: string | null };
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}
