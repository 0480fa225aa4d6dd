import type { TestGateway } from '../setup/gateway.ts';

type Gateway = Pick<TestGateway, 'request'>;

/** A change that the gateway made, by the fax that a person would name. */
export interface WalkedChange {
  readonly kind: 'work' | 'inbound' | 'sent' | 'accepted';
  readonly id: string;
  /** Digits of the sender, or of the recipient. */
  readonly number: string;
  /** Of a fax that was accepted. */
  readonly pages: number;
}

interface WalkedItem {
  readonly id: string;
  readonly version: number;
  readonly state: string;
  readonly inbound_fax_id: string;
  readonly from_number: string | null;
}

interface ConsoleChange {
  readonly kind: string;
  readonly data: { readonly id?: string };
}

const digitsOf = (number: string | null) => (number ?? '?').replace(/\D/gu, '');

/** The faxes of a gateway as they are, read by the events since the last look and not by listing everything. */
export class WalkedTruth {
  readonly #gateway: Gateway;
  #after = '';
  #items = new Map<string, WalkedItem>();
  /** Versions of the sent faxes. */
  readonly #sent = new Map<string, number>();
  readonly #turns = new Map<string, string>();

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /** Begins anew: what happened until now counts for no key. Finished items are open again, so that there is always work. */
  async renew(): Promise<void> {
    for (const { id, version, state } of await this.#list())
      if (state !== 'open') await this.#gateway.request('POST', `/work/${id}/reopen`, { json: { version } });
    this.#items = new Map((await this.#list()).map((item) => [item.id, item]));
    for (const { inbound_fax_id: id } of this.#items.values()) this.#turns.set(id, await this.#readTurns(id));
    const { items } = await this.#get<{ items: { id: string; delivery_version: number }[] }>(
      '/fax?limit=200',
    );
    for (const { id, delivery_version } of items) this.#sent.set(id, delivery_version);
    this.#after = (await this.#get<{ next: string }>('/console/changes')).next;
  }

  /** Lists what changed since the last call, once for each fax. */
  async changes(): Promise<readonly WalkedChange[]> {
    const events: ConsoleChange[] = [];
    for (;;) {
      const answer = await this.#get<{ events: ConsoleChange[]; next: string; reset?: boolean }>(
        `/console/changes?after=${encodeURIComponent(this.#after)}`,
      );
      if (answer.reset) throw new Error('the gateway has forgotten its events');
      events.push(...answer.events);
      if (answer.next === this.#after || answer.events.length === 0) break;
      this.#after = answer.next;
    }
    const ids = new Set(events.flatMap(({ kind, data }) => (data.id ? [`${kind} ${data.id}`] : [])));
    const found = await Promise.all(
      [...ids].map((it) => this.#changeOf(...(it.split(' ') as [string, string]))),
    );
    return found.filter((it) => it !== null);
  }

  /** Lists the items that changed although no event named them. */
  async unnamed(): Promise<readonly string[]> {
    return (await this.#list())
      .filter(({ id, version }) => this.#items.get(id)?.version !== version)
      .map(({ from_number }) => digitsOf(from_number));
  }

  async #changeOf(kind: string, id: string): Promise<WalkedChange | null> {
    if (kind === 'work.changed') {
      const item = await this.#get<WalkedItem>(`/work/${id}`);
      if (this.#items.get(id)?.version === item.version) return null;
      this.#items.set(id, item);
      return { kind: 'work', id, number: digitsOf(item.from_number), pages: 0 };
    }
    if (kind === 'inbound.changed') {
      const turns = await this.#readTurns(id);
      // An open fax is marked as read.
      if (this.#turns.get(id) === turns) return null;
      this.#turns.set(id, turns);
      const item = [...this.#items.values()].find((it) => it.inbound_fax_id === id);
      return { kind: 'inbound', id, number: digitsOf(item?.from_number ?? null), pages: 0 };
    }
    if (kind !== 'fax.changed') return null;
    const fax = await this.#get<{ to: string; delivery_version: number; document: { pages: number } }>(
      `/fax/${id}`,
    );
    const known = this.#sent.get(id);
    if (known === fax.delivery_version) return null;
    this.#sent.set(id, fax.delivery_version);
    const isNew = known === undefined;
    return { kind: isNew ? 'accepted' : 'sent', id, number: digitsOf(fax.to), pages: fax.document.pages };
  }

  /** Returns the turned pages and the mailbox of a received fax, as text. */
  async #readTurns(id: string): Promise<string> {
    const fax = await this.#get<{ turned_pages: unknown; mailbox: unknown }>(`/inbound/${id}`);
    return JSON.stringify([fax.turned_pages, fax.mailbox]);
  }

  async #list(): Promise<readonly WalkedItem[]> {
    return (await this.#get<{ items: WalkedItem[] }>('/work?limit=200')).items;
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await this.#gateway.request('GET', path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
