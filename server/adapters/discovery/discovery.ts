import { hostname } from 'node:os';
import type { Logger } from '../../platform/logger.ts';
import { hostLabelOf } from './labels.ts';
import type { Announcer } from './port.ts';

/** Returns an announcer whose code is loaded, and whose sockets are opened, for the first service. */
export function createLazyAnnouncer(logger: Logger, name: string = hostname()): Announcer {
  const hostLabel = hostLabelOf(name);
  let loading: Promise<Announcer> | null = null;
  let loaded: Announcer | null = null;
  let isStopped = false;
  const load = async () => {
    const { createAnnouncer } = await import('./announcer.ts');
    loaded = createAnnouncer({ logger, hostLabel });
    return loaded;
  };
  return {
    get host() {
      return loaded?.host ?? `${hostLabel}-faxdesk.local`;
    },
    get announced() {
      return loaded?.announced ?? null;
    },
    get problem() {
      return loaded?.problem ?? null;
    },
    async update(services) {
      if (isStopped || (loading === null && services.length === 0)) return;
      loading ??= load();
      await (await loading).update(services);
    },
    async stop() {
      isStopped = true;
      await (await loading)?.stop();
    },
  };
}
