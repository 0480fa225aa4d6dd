import { startGatewayOn } from './both-gateways.ts';
import type { FaxOutcome } from './emulators/cloudone/fax-record.ts';
import { type CloudoneEmulator, startCloudoneEmulator } from './emulators/cloudone/index.ts';
import type { Fax, TestGateway } from './gateway.ts';
import { MINUTE } from './manual-clock.ts';

/** A call that did not get through: no page left, and the vendor shows so. */
export const BUSY: FaxOutcome = { status: 'failure', errorType: 'lineError', errorId: 17 };
/** Call that broke off, with an unknown number of pages. */
export const INTERRUPTED: FaxOutcome = { status: 'failure', errorType: 'faxProtocolError', errorId: 54 };

const NAMES = ['One', 'Two', 'Three', 'Four'];

/** A gateway with four routes, each over an account of its own at an emulator of its own, in this order. */
export class RouteGateway {
  gateway: TestGateway;
  readonly accounts: readonly CloudoneEmulator[];
  readonly #drop: () => Promise<void>;

  constructor(gateway: TestGateway, accounts: readonly CloudoneEmulator[], drop: () => Promise<void>) {
    this.gateway = gateway;
    this.accounts = accounts;
    this.#drop = drop;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.#drop();
    for (const account of this.accounts) await account.close();
  }

  async restart(): Promise<void> {
    this.gateway = await this.gateway.restart();
  }

  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  async requestJson(method: string, path: string, json?: unknown): Promise<any> {
    const answer = await this.gateway.request(method, path, { json });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return JSON.parse(text);
  }

  /** Creates the routes for numbers that begin so; `closed`: after these, counted from 0, the fax may go by no other. */
  async routes(prefix: string, count: number, closed: readonly number[] = []): Promise<{ id: string }[]> {
    const made = [];
    for (const [i, account] of this.accounts.slice(0, count).entries())
      made.push(
        await this.requestJson('POST', '/routing/routes', {
          name: NAMES[i],
          backend: 'cloudone',
          prefixes: [prefix],
          priority: i + 1,
          next_allowed: !closed.includes(i),
          account: accountOf(account, i),
        }),
      );
    return made;
  }

  async send(to: string): Promise<Fax> {
    const { id } = await this.gateway.send({ to });
    await this.gateway.processAll();
    return this.gateway.fax(id);
  }

  /** Ends the fax at the account that has it, and lets the gateway learn of it and do what comes then. */
  async end({ id, provider_sid, route }: Fax, outcome: FaxOutcome = {}, after = 5 * MINUTE): Promise<Fax> {
    // Each account counts its faxes for itself.
    if (provider_sid !== null)
      this.accounts[NAMES.indexOf(route?.name ?? '')]?.complete(provider_sid, outcome);
    this.gateway.clock.advance(after);
    await this.gateway.processAll();
    return this.gateway.fax(id);
  }

  /** Returns the number of faxes to the number at each account. */
  countFaxes(to: string): number[] {
    return this.accounts.map(
      ({ faxes }) =>
        [...faxes.values()].filter(({ recipients }) => recipients[0]?.phone_number === to).length,
    );
  }
}

const keyOf = (index: number) => ({
  apiKey: `key-${index}`,
  apiSecret: `secret-${index}`,
  callbackToken: `token-${index}`,
});

function accountOf(account: CloudoneEmulator, index: number): Record<string, string> {
  const { apiKey, apiSecret, callbackToken } = keyOf(index);
  return {
    CLOUDONE_API_KEY: apiKey,
    CLOUDONE_API_SECRET: apiSecret,
    CLOUDONE_CALLBACK_TOKEN: callbackToken,
    CLOUDONE_API_URL: account.url,
  };
}

export async function startRouteGateway(kind: 'sqlite' | 'postgres'): Promise<RouteGateway> {
  const { gateway, drop } = await startGatewayOn(kind);
  const accounts = [];
  for (const index of NAMES.keys())
    accounts.push(await startCloudoneEmulator({ ...keyOf(index), clock: gateway.clock }));
  return new RouteGateway(gateway, accounts, drop);
}
