import type { WriteTx } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import type { Seal } from '../../platform/seal.ts';
import { insertSecurityEvent } from './store/event-store.ts';
import type { Actor, SecurityEvent } from './types.ts';

export { type CountedEvents, createCountedEvents } from './counted.ts';
export { type AuditReader, createAuditReader } from './reading.ts';
export { listSecurityEvents, type SecurityEventFilter } from './store/event-store.ts';
export { createAuditTrail } from './trail.ts';
export type {
  Actor,
  AuditChain,
  AuditConfiguration,
  AuditTrail,
  OpenSinks,
  SecurityEntry,
  SecurityEvent,
} from './types.ts';
export { verifySecurityAudit } from './verify.ts';

/** The record of what was done to the installation and by whom. What happens often is counted: `CountedEvents`. */
export interface SecurityAudit {
  /** Records in the caller's transaction, so that a change and its record are one. */
  record(tx: WriteTx, event: SecurityEvent): Promise<void>;
}

/** Returns the actor fields of an event. */
export function recordedActor(
  actor: Actor,
): Pick<SecurityEvent, 'actor' | 'credentialKind' | 'policyVersion' | 'requestId'> {
  const { id, name, credentialKind, policyVersion, requestId } = actor;
  return { actor: { id, name }, credentialKind, policyVersion: policyVersion ?? 0, requestId };
}

/**
 * Creates the security audit. The end of the chain is sealed; the seal is left out only where the data key is not
 * available.
 */
export function createSecurityAudit(parts: { clock: Clock; seal?: Seal }): SecurityAudit {
  return {
    record: (tx, event) => {
      const now = isoTime(parts.clock.now());
      const { details = {} } = event;
      const entry = { ...event, id: newId(), occurredAt: now, lastAt: now, count: 1, details };
      return insertSecurityEvent(tx, entry, parts.seal ?? null);
    },
  };
}
