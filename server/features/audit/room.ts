import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { defineRoom, type Room } from '../room.ts';
import { auditServedRoutes } from './routes.ts';
import { type AuditTrail, createAuditReading, createAuditTrail, type OpenSinks } from './service.ts';
import { AUDIT_SETTINGS, type AuditSettings, auditConfiguration } from './settings.ts';

export { createSecurityAudit, type OpenSinks, type SecurityAudit } from './service.ts';

export interface AuditRoomParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: AuditSettings;
  readonly dataFolder: string;
  readonly openSinks: OpenSinks;
}

/** The security audit for those who may read it, and the business audit trail; the trail works from here to `stop`. */
export function createAudit(parts: AuditRoomParts): Room & { readonly trail: AuditTrail } {
  const { settings, dataFolder, openSinks, logger } = parts;
  const configuration = auditConfiguration(settings, dataFolder);
  const trail = createAuditTrail({ configuration, openSinks, logger });
  const room = defineRoom({
    name: 'audit',
    served: auditServedRoutes(createAuditReading(parts)),
    // The trail follows its settings itself: the next line has to go where they say.
    settings: { names: AUDIT_SETTINGS, changed: async () => undefined },
    stop: () => trail.close(),
  });
  return { ...room, trail };
}
