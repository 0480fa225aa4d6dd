import { type Connection, createConnection } from './connection.ts';
import type { FaxNumberCheck } from './contract.ts';
import { createFaxWatch } from './fax-watch.ts';
import { createFaxes, type Faxes } from './faxes.ts';
import { createInbound, type Inbound } from './inbound.ts';
import type { CallOptions, FaxdeskOptions } from './options.ts';
import { createPlugins, type Plugins } from './plugins.ts';
import { ROUTES } from './routes.ts';

/**
 * A Faxdesk gateway. Calls throw ApiError when the gateway refuses, UnreachableError when it does not answer,
 * UncertainError when nobody confirmed a change, and UnexpectedAnswerError when something else answers.
 */
export class Faxdesk {
  readonly faxes: Faxes;
  readonly inbound: Inbound;
  readonly numbers: Numbers;
  /** @deprecated Read and change the settings of a provider with `GET` and `PUT /admin/settings`. */
  readonly plugins: Plugins;

  constructor(options: FaxdeskOptions) {
    const connection = createConnection(options);
    this.faxes = createFaxes(connection, createFaxWatch(connection));
    this.inbound = createInbound(connection);
    this.numbers = new Numbers(connection);
    this.plugins = createPlugins(connection);
  }
}

/** Fax numbers. */
export class Numbers {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Returns the facts about a number as a person typed it, before a fax is sent to it. */
  check(to: string, options: CallOptions = {}): Promise<FaxNumberCheck> {
    return this.#connection.read(ROUTES.checkNumber, { ...options, query: { to } });
  }
}
