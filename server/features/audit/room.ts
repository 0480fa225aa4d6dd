import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Seal } from '../../platform/seal.ts';
import { defineRoom, type Room } from '../room.ts';
import { auditServedRoutes, type FindAuditedFaxes } from './routes.ts';
import {
  type AuditChain,
  type AuditTrail,
  type CountedEvents,
  createAuditReader,
  createAuditTrail,
  type OpenSinks,
} from './service.ts';
import { AUDIT_SETTINGS, type AuditSettings, auditConfiguration } from './settings.ts';

export type { FindAuditedFaxes } from './routes.ts';
export {
  createCountedEvents,
  createSecurityAudit,
  type OpenSinks,
} from './service.ts';

interface AuditRoomParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: AuditSettings;
  readonly seal: Seal;
  readonly openSinks: OpenSinks;
  /** Chain of the audit log. */
  readonly chain: AuditChain;
  /** Its counts are written until `stop`. */
  readonly counted: CountedEvents;
  readonly findFaxes: FindAuditedFaxes;
}

/** The security audit for those who may read it, and the business audit trail; the trail works from here to `stop`. */
export function createAudit(parts: AuditRoomParts): Room & { readonly trail: AuditTrail } {
  const { settings, openSinks, chain, logger, counted } = parts;
  const configuration = auditConfiguration(settings);
  const trail = createAuditTrail({ configuration, openSinks, chain, logger });
  const room = defineRoom({
    name: 'audit',
    served: auditServedRoutes(createAuditReader(parts), parts.findFaxes),
    // The trail follows its settings itself: they must apply to the very next line.
    settings: { names: AUDIT_SETTINGS, changed: async () => undefined },
    start: () => counted.start(),
    stop: async () => {
      await counted.stop();
      await trail.close();
    },
    catchUp: () => counted.fix(),
    warnings: async () => [...counted.warnings(), ...trail.problems()],
  });
  return { ...room, trail };
}
