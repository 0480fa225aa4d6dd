import { accessRoutes } from './access.ts';
import { auditRoutes } from './access-audit.ts';
import { accessKeyRoutes } from './access-keys.ts';
import { consoleRoutes } from './console.ts';
import { inboundRoutes, olderInboundRoutes } from './inbound.ts';
import { olderFaxRoutes, outboundRoutes } from './outbound.ts';
import type { RouteDefinition } from './route.ts';
import { settingsRoutes } from './settings.ts';
import { systemRoutes } from './system.ts';

/** Every route of this release, in the order of the documentation. */
export const allRoutes: readonly RouteDefinition[] = [
  ...Object.values(outboundRoutes),
  ...Object.values(inboundRoutes),
  ...Object.values(accessRoutes),
  ...Object.values(accessKeyRoutes),
  ...Object.values(auditRoutes),
  ...Object.values(settingsRoutes),
  ...Object.values(consoleRoutes),
  ...Object.values(systemRoutes),
  ...Object.values(olderFaxRoutes),
  ...Object.values(olderInboundRoutes),
];
