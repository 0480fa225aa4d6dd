import type { Connection } from './connection.ts';
import type { PluginConfig, PluginConfigWrite, PluginList } from './contract.ts';
import { withOperationId } from './operation-id.ts';
import type { CallOptions, ChangeOptions } from './options.ts';
import { ROUTES } from './routes.ts';

/**
 * The fax providers by the routes of earlier releases.
 *
 * @deprecated Read and change the settings of a provider with `GET` and `PUT /admin/settings`. The gateway records each
 * use as a notice, and the routes may be gone from the day in `DeprecationNotice.sunset` on.
 */
class Plugins {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Lists the fax providers.
   *
   * @deprecated Use `GET /admin/settings`.
   */
  async list(options: CallOptions = {}): Promise<PluginList['items']> {
    return (await this.#connection.read<PluginList>(ROUTES.listPlugins, options)).items;
  }

  /**
   * Reads the settings of a provider; secrets are null.
   *
   * @deprecated Use `GET /admin/settings`.
   */
  config(id: string, options: CallOptions = {}): Promise<PluginConfig> {
    return this.#connection.read(ROUTES.readPlugin, { ...options, params: { id } });
  }

  /**
   * Changes the settings of a provider, and whether it sends.
   *
   * @deprecated Use `PUT /admin/settings`.
   */
  async configure(id: string, config: PluginConfigWrite, options: ChangeOptions = {}): Promise<PluginConfig> {
    const input = { params: { id }, body: config, ...withOperationId(options) };
    return (await this.#connection.change<PluginConfig>(ROUTES.writePlugin, input)).value;
  }
}

/** Creates it for a connection. @internal */
export const createPlugins = (connection: Connection) => new Plugins(connection);

export type { Plugins };
