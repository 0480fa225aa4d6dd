import { AccessAdministrator, type Item } from '../setup/access-administrator.ts';
import type { TestGateway, TestGatewayOptions } from '../setup/gateway.ts';
import { WebhookReceiver } from '../setup/webhook-receiver.ts';
import { InboundGateway } from './inbound-setup.ts';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const ALL_EVENTS = ['fax.delivered', 'fax.failed', 'fax.question', 'inbound.received', 'work.overdue'];

/** Settings with which webhooks reach the servers of a test. */
export const WEBHOOKS_ON = { WEBHOOKS_ENABLED: 'true', WEBHOOKS_ALLOW_PRIVATE: 'true' };

/** A gateway with an integration that sees everything, beside a receiver of webhooks. */
export class WebhookGateway {
  readonly inbound: InboundGateway;
  readonly receiver: WebhookReceiver;
  readonly administrator: AccessAdministrator;
  readonly integration: Item;

  constructor(parts: { inbound: InboundGateway; receiver: WebhookReceiver; integration: Item }) {
    this.inbound = parts.inbound;
    this.receiver = parts.receiver;
    this.integration = parts.integration;
    this.administrator = new AccessAdministrator(parts.inbound.gateway);
  }

  static async start(options: TestGatewayOptions = {}): Promise<WebhookGateway> {
    const settings = { ...WEBHOOKS_ON, ...options.settings };
    const inbound = await InboundGateway.start({ ...options, settings });
    const administrator = new AccessAdministrator(inbound.gateway);
    const integration = await administrator.integration('Records system');
    const role = await administrator.role('Everything', ['fax:read', 'inbound:list', 'work:read']);
    await administrator.assign(integration, role);
    return new WebhookGateway({ inbound, receiver: await WebhookReceiver.start(), integration });
  }

  get gateway(): TestGateway {
    return this.inbound.gateway;
  }

  async request(method: string, path: string, json?: unknown, key?: string): Promise<[number, Body]> {
    const answer = await this.gateway.request(method, path, { json, ...(key !== undefined && { key }) });
    return [answer.status, await answer.json()];
  }

  /** Creates an endpoint and returns it, with its secret as `secret`. */
  async connect(given: object = {}): Promise<Body> {
    const fields = {
      integration_id: this.integration.id,
      url: this.receiver.url,
      events: ALL_EVENTS,
      ...given,
    };
    const [status, answer] = await this.request('POST', '/webhooks/endpoints', fields);
    if (status !== 201) throw new Error(JSON.stringify(answer));
    return { ...answer.endpoint, secret: answer.secret };
  }

  async endpoint(id: string): Promise<Body> {
    const [, { items }] = await this.request('GET', '/webhooks/endpoints');
    return items.find((one: { id: string }) => one.id === id);
  }

  /** Newest first. */
  async deliveries(query = ''): Promise<Body[]> {
    return (await this.request('GET', `/webhooks/deliveries${query}`))[1].items;
  }

  async only(): Promise<Body> {
    const [delivery, second] = await this.deliveries();
    if (!delivery || second) throw new Error('not exactly one delivery');
    return (await this.request('GET', `/webhooks/deliveries/${delivery.id}`))[1];
  }

  /** Sends a fax that ends with an outcome; nothing is announced yet. */
  async fax(outcome: 'success' | 'failed' | 'unknown' = 'success', to = '+12025550123'): Promise<string> {
    const { gateway } = this;
    if (outcome === 'unknown') gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
    const { id } = await gateway.send({ to });
    await gateway.processAll();
    if (outcome === 'unknown') return id;
    const { provider_sid } = await gateway.fax(id);
    const failure = { errorId: 17, errorType: 'lineError' };
    gateway.emulator.complete(String(provider_sid), ...(outcome === 'failed' ? [failure] : []));
    await gateway.request('POST', `/fax/${id}/refresh`);
    return id;
  }

  /** Lets time go by, and what is due be done. */
  async pass(ms: number): Promise<void> {
    this.gateway.clock.advance(ms);
    await this.gateway.processAll();
  }

  /** Removes all endpoints with their deliveries. */
  async clear(): Promise<void> {
    const [, { items }] = await this.request('GET', '/webhooks/endpoints');
    for (const { id, version } of items)
      await this.request('POST', `/webhooks/endpoints/${id}/remove`, { version });
    this.receiver.clear();
    await this.gateway.processAll();
  }

  async close(): Promise<void> {
    await this.receiver.close();
    await this.inbound.close();
  }
}
