import type { z } from 'zod';
import type { WorkSettingsAnswer } from '../../shared/api/work-settings.ts';
import type { WorkCounts, WorkItem, WorkItemDetails } from '../../shared/api/work-shapes.ts';
import type { TestGatewayOptions } from '../setup/gateway.ts';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { InboundGateway, ONE_PAGE } from './inbound-setup.ts';

type Item = z.infer<typeof WorkItem>;
export type Details = z.infer<typeof WorkItemDetails>;

export const READER = ['work:read', 'inbound:read', 'inbound:list'];
export const MANAGER = [...READER, 'work:manage', 'inbound:document'];

/** The numbers of the mailboxes `ward` and `lab`; the third one is filed nowhere. */
export const NUMBERS = { ward: '+12025550101', lab: '+12025550102', nowhere: '+12025550103' };

interface Refusal {
  readonly status: number;
  readonly code: string | null;
  readonly detail: unknown;
}

let documents = 0;

/** A gateway with two mailboxes whose received faxes become work items. */
export class WorkGateway {
  readonly inbound: InboundGateway;
  readonly people: MailboxPeople;

  constructor(inbound: InboundGateway, people: MailboxPeople) {
    this.inbound = inbound;
    this.people = people;
  }

  static async start(options: TestGatewayOptions = {}): Promise<WorkGateway> {
    const inbound = await InboundGateway.start(options);
    const people = new MailboxPeople(inbound.gateway, options.databaseUrl ?? null);
    for (const id of ['ward', 'lab'] as const) {
      await people.addMailbox(id, id);
      await people.addRule(NUMBERS[id], id);
    }
    return new WorkGateway(inbound, people);
  }

  /** Starts the gateway again on the same data. */
  async restart(): Promise<WorkGateway> {
    const gateway = await this.inbound.gateway.restart();
    return new WorkGateway(new InboundGateway(gateway), new MailboxPeople(gateway));
  }

  get clock() {
    return this.inbound.gateway.clock;
  }

  /** A fax arrives; every document has other bytes unless one is given. */
  async arrive(
    to: keyof typeof NUMBERS = 'ward',
    options: { document?: Buffer; from?: string } = {},
  ): Promise<Item> {
    this.clock.advance(SECOND);
    documents += 1;
    const { document = Buffer.concat([ONE_PAGE, Buffer.from(`\n% ${documents}\n`)]), from } = options;
    const fax = this.inbound.arrive({ to: NUMBERS[to], document, ...(from === undefined ? {} : { from }) });
    const { status } = await this.inbound.notify(fax);
    if (status !== 200) throw new Error(`the notification was answered ${status}`);
    const [newest] = await this.inbound.list('?limit=1');
    if (!newest?.work_item_id) throw new Error('the fax has no work item');
    return this.item(newest.work_item_id);
  }

  async item(id: string, person?: Person): Promise<Details> {
    return this.#get(`/work/${id}`, person);
  }

  async list(query = '', person?: Person): Promise<Item[]> {
    return (await this.#get<{ items: Item[] }>(`/work${query}`, person)).items;
  }

  async counts(person?: Person): Promise<z.infer<typeof WorkCounts>> {
    return this.#get('/work/counts', person);
  }

  async history(id: string): Promise<{ kind: string; text: string; actor: string; occurred_at: string }[]> {
    return (await this.#get<{ events: [] }>(`/work/${id}/history`)).events;
  }

  async kinds(id: string): Promise<string[]> {
    return (await this.history(id)).map(({ kind }) => kind);
  }

  /** Whatever is answered, as it is. */
  async request(method: string, path: string, person?: Person, json?: unknown): Promise<Response> {
    const key = person === undefined ? {} : { key: person.key };
    return this.inbound.gateway.request(method, path, { ...key, ...(json === undefined ? {} : { json }) });
  }

  /** Does it to the item as it was seen last. */
  async act(action: string, item: Item, person?: Person, body: object = {}): Promise<Item & Refusal> {
    const json = { version: item.version, ...body };
    const answer = await this.request('POST', `/work/${item.id}/${action}`, person, json);
    const result = (await answer.json()) as Item & Refusal;
    return { ...result, status: answer.status, code: answer.headers.get('X-Error-Code') };
  }

  async assign(item: Item, to: Person, by?: Person): Promise<Item & Refusal> {
    return this.act('assign', item, by, { principal_id: to.id });
  }

  async settings(): Promise<z.infer<typeof WorkSettingsAnswer>> {
    return this.#get('/work/settings');
  }

  /** Of one mailbox, whatever it was before. */
  async setMailbox(
    id: string,
    change: { acknowledge_hours?: number | null; backup_principal_id?: string | null },
  ): Promise<void> {
    const { mailboxes } = await this.settings();
    const before = mailboxes.find(({ mailbox_id }) => mailbox_id === id);
    const json = {
      mailbox_id: id,
      acknowledge_hours: before?.acknowledge_hours ?? null,
      backup_principal_id: before?.backup?.id ?? null,
      version: before?.version,
      ...change,
    };
    const answer = await this.request('PUT', '/work/settings', undefined, { mailboxes: [json] });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }

  /** Everything that is due by the clock. */
  async process(): Promise<void> {
    await this.inbound.gateway.processAll();
  }

  async close(): Promise<void> {
    await this.inbound.close();
  }

  async #get<T>(path: string, person?: Person): Promise<T> {
    const answer = await this.request('GET', path, person);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
