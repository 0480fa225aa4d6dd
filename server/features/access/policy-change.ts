import type { AuditOperation } from '../../../shared/audit-operations.ts';
import type { Database, WriteTx } from '../../db/database.ts';
import { recordedActor, type SecurityAudit } from '../audit/service.ts';
import { AccessConflictError } from './errors.ts';
import { ownerIds } from './store/grants.ts';
import { bumpPolicy } from './store/policy.ts';
import type { Actor } from './types.ts';

interface PolicyChange<T> {
  actor: Actor;
  /** Room and verb, e.g. `key.create`. */
  operation: AuditOperation;
  /** Version that the caller last read; null when the route does not require it. */
  expectedVersion: number | null;
  /** Throw to change nothing. Only queries may be awaited. */
  work(tx: WriteTx): Promise<T>;
  describe(result: T): { target: { kind: string; id: string | null }; details?: Record<string, unknown> };
}

/** Makes one change to who may do what. */
export type ChangePolicy = <T>(change: PolicyChange<T>) => Promise<{ result: T; policyVersion: number }>;

/**
 * Every access change is one transaction: the version moves (and holds its row, so that changes come one after
 * another), the change is made, an owner is left, the security audit has its event, and after the commit this process
 * forgets its callers. Throws a 409 refusal for a stale version.
 */
export function createPolicyChange(parts: {
  db: Database;
  audit: SecurityAudit;
  forgetCallers: () => void;
}): ChangePolicy {
  return (change) =>
    parts.db.transaction(async (tx) => {
      const policyVersion = await bumpPolicy(tx);
      assertFresh(change, policyVersion - 1);
      const ownersBefore = await ownerIds(tx);
      const result = await change.work(tx);
      if (ownersBefore.length > 0 && (await ownerIds(tx)).length === 0)
        throw new AccessConflictError('last_owner');
      const { actor, operation } = change;
      await parts.audit.record(tx, {
        ...recordedActor(actor),
        operation,
        outcome: 'done',
        policyVersion,
        ...change.describe(result),
      });
      parts.db.onCommit(tx, parts.forgetCallers);
      return { result, policyVersion };
    });
}

/**
 * Throws 409 unless the caller read the present policy and their permissions derive from it: their own permissions may
 * have gone.
 */
function assertFresh(change: PolicyChange<unknown>, present: number): void {
  if (change.expectedVersion === null) return;
  const readBy = change.actor.policyVersion ?? present;
  if (change.expectedVersion !== present || readBy !== present) throw new AccessConflictError();
}
