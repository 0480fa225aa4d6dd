import type { z } from 'zod';
import type { Connector, MailDelivery } from '../../shared/api/intake.ts';
import type { TestGatewayOptions } from '../setup/gateway.ts';
import { type MailServer, startMailServer } from '../setup/mail-server.ts';
import { InboundGateway } from './inbound-setup.ts';

export type Delivery = z.infer<typeof MailDelivery>;
export type ConnectorAnswer = z.infer<typeof Connector>;

export const ALICE = 'alice@example.com';
export const BOB = 'bob@example.com';
export const CAROL = 'carol@example.com';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

/** A gateway that receives faxes, beside an SMTP server. */
export class IntakeGateway {
  readonly inbound: InboundGateway;
  mail: MailServer;

  constructor(inbound: InboundGateway, mail: MailServer) {
    this.inbound = inbound;
    this.mail = mail;
  }

  static async start(options: TestGatewayOptions = {}): Promise<IntakeGateway> {
    return new IntakeGateway(await InboundGateway.start(options), await startMailServer());
  }

  get gateway() {
    return this.inbound.gateway;
  }

  async request(method: string, path: string, json?: unknown, key?: string): Promise<[number, Body]> {
    const answer = await this.gateway.request(method, path, { json, ...(key !== undefined && { key }) });
    return [answer.status, await answer.json()];
  }

  /** Fields of a connector to the server, without encryption. */
  fields(given: object = {}): Record<string, unknown> {
    return {
      name: 'Front desk',
      host: '127.0.0.1',
      port: this.mail.port,
      security: 'none',
      from_address: 'fax@example.org',
      recipients: [ALICE],
      ...given,
    };
  }

  async connect(given: object = {}): Promise<ConnectorAnswer> {
    const [status, connector] = await this.request('POST', '/intake/connectors', this.fields(given));
    if (status !== 201) throw new Error(JSON.stringify(connector));
    return connector;
  }

  /** A fax arrives and is filed; nothing was sent yet. */
  async receive(given: Parameters<InboundGateway['arrive']>[0] = {}): Promise<string> {
    const before = new Set((await this.inbound.list()).map(({ id }) => id));
    await this.inbound.notify(this.inbound.arrive(given));
    const fax = (await this.inbound.list()).find(({ id }) => !before.has(id));
    if (!fax) throw new Error('no fax came');
    return fax.id;
  }

  async deliveries(query = ''): Promise<Delivery[]> {
    return (await this.request('GET', `/intake/items${query}`))[1].items;
  }

  /** The only one of a fax. */
  async delivery(faxId: string): Promise<Delivery> {
    const [item, second] = await this.deliveries(`?fax_id=${faxId}`);
    if (!item || second) throw new Error('not exactly one delivery');
    return item;
  }

  /** Lets time go by, and what is due be done. */
  async pass(ms: number): Promise<void> {
    this.gateway.clock.advance(ms);
    await this.gateway.processAll();
  }

  /** Begins anew: no connectors, and a server that does nothing wrong. */
  async clear(): Promise<void> {
    const [, { items }] = await this.request('GET', '/intake/connectors');
    for (const { id, version } of items)
      await this.request('POST', `/intake/connectors/${id}/remove`, { version });
    await this.gateway.processAll();
    this.mail.faults = {};
    this.mail.mails.length = 0;
  }

  async close(): Promise<void> {
    await this.inbound.close();
    await this.mail.close();
  }
}

/** The state of each recipient. */
export const statesOf = ({ recipients }: Delivery) =>
  Object.fromEntries(recipients.map(({ address, state }) => [address, state]));
