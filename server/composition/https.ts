import { createCertificates } from '../adapters/certificates/certificates.ts';
import { createLazyAnnouncer } from '../adapters/discovery/discovery.ts';
import type { createHttps } from '../features/https/room.ts';
import type { Dependencies } from './dependencies.ts';

/** Returns the parts of the way in for other computers. */
export function httpsParts({
  callerLimits,
  common,
}: Pick<Dependencies, 'callerLimits' | 'common'>): Parameters<typeof createHttps>[0] {
  return {
    ...common,
    connections: callerLimits.connections,
    certificates: (options) => createCertificates({ ...common, ...options }),
    announcer: (logger) => createLazyAnnouncer(logger),
  };
}
