import { hostname } from 'node:os';
import type { Certificates } from '../../adapters/certificates/port.ts';
import type { Announcer } from '../../adapters/discovery/port.ts';
import type { Connections } from '../../http/listening.ts';
import type { Figure } from '../../platform/figure.ts';
import type { Logger } from '../../platform/logger.ts';
import { defineRoom, type Room } from '../room.ts';
import type { Settings } from '../settings/service.ts';
import { createAnnouncements } from './announcements.ts';
import { createHttpsListener, type HttpsListener } from './listener.ts';
import { newRootName } from './root-name.ts';
import { httpsServedRoutes } from './routes.ts';
import { createHttpsService, type HttpsService } from './service.ts';
import { HTTPS_SETTINGS, httpsSettings } from './settings.ts';

/** Certificates are renewed, and the names of a computer change, without anybody saying so. */
const UPDATE_EVERY_MS = 60_000;
const SECOND_MS = 1_000;

interface HttpsParts {
  readonly settings: Settings;
  /** `newName` is called when a root certificate is made. */
  readonly certificates: (options: { newName: () => string }) => Certificates;
  /** Creates what announces services in the local network. */
  readonly announcer: (logger: Logger) => Announcer;
  readonly logger: Logger;
  readonly connections: Connections;
}

/** Returns the ends of the certificates that are shown. */
function certificateFigures({ server, root }: HttpsListener['shown']): Figure[] {
  return Object.entries({ server, root }).flatMap(([certificate, facts]) =>
    facts === null
      ? []
      : {
          name: 'certificate_end_timestamp_seconds',
          help: 'Time at which a certificate ends',
          labels: { certificate },
          value: facts.endsMs / SECOND_MS,
        },
  );
}

/** The way in for other computers: the same requests over HTTPS. It never keeps the gateway from working. */
export function createHttps(parts: HttpsParts): Room & { readonly service: HttpsService } {
  const { settings } = parts;
  const logger = parts.logger.room('https');
  const announcer = parts.announcer(logger);
  const wanted = () => {
    const values = httpsSettings(settings);
    return { ...values, announcedHost: values.announced ? announcer.host : null };
  };
  const certificates = parts.certificates({
    newName: () => newRootName(settings.get('FAX_ORGANIZATION')),
  });
  const listener = createHttpsListener({
    connections: parts.connections,
    settings: wanted,
    certificates,
    logger,
  });
  const announcements = createAnnouncements({
    announcer,
    listener,
    logger,
    settings: wanted,
    name: () => settings.get('FAX_ORGANIZATION') ?? hostname(),
    hostChanged: () => void listener.update(),
  });
  const service = createHttpsService({ listener, settings: wanted, certificates, announcer, announcements });
  // Computers find the gateway a little later: nothing waits for the network.
  const update = async () => {
    await listener.update();
    announcements.update();
  };
  const problems = () => [listener.problem, announcer.problem].filter((problem) => problem !== null);
  let timer: NodeJS.Timeout | undefined;
  const room = defineRoom({
    name: 'https',
    served: httpsServedRoutes(service),
    settings: { names: HTTPS_SETTINGS, changed: update },
    async open(requests) {
      timer = setInterval(() => void update(), UPDATE_EVERY_MS);
      await listener.start(requests);
      announcements.update();
    },
    async close(graceMs) {
      clearInterval(timer);
      await announcements.stop();
      await listener.stop(graceMs);
    },
    catchUp: update,
    warnings: async () => problems(),
    figures: async () => certificateFigures(listener.shown),
  });
  return { ...room, service };
}
