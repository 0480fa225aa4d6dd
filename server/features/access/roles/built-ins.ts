import { BUILT_IN_ROLES, type BuiltInRole } from '../../../../shared/permissions.ts';
import type { Database, WriteTx } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { recordedActor, type SecurityAudit } from '../../audit/service.ts';
import { bumpPolicy, insertPolicyOnce } from '../store/policy.ts';
import { insertBootstrapOnce } from '../store/principals.ts';
import { findRole, insertRole, replaceRole, type StoredRole } from '../store/roles.ts';
import { GATEWAY_ACTOR } from '../types.ts';

/** Writes the policy row, the installation key's principal and the built-in roles as this release has them. */
export async function ensureBuiltIns(parts: {
  db: Database;
  clock: Clock;
  audit: SecurityAudit;
}): Promise<void> {
  const now = isoTime(parts.clock.now());
  await parts.db.transaction(async (tx) => {
    await insertPolicyOnce(tx);
    await insertBootstrapOnce(tx, now);
    const written: string[] = [];
    for (const role of BUILT_IN_ROLES) if (await ensureRole(tx, role, now)) written.push(role.id);
    if (written.length === 0) return;
    await parts.audit.record(tx, {
      ...recordedActor(GATEWAY_ACTOR),
      operation: 'role.refresh',
      target: { kind: 'role', id: null },
      outcome: 'done',
      policyVersion: await bumpPolicy(tx),
      details: { roles: written },
    });
  });
}

/** True when the role had to be written. */
async function ensureRole(tx: WriteTx, role: BuiltInRole, now: string): Promise<boolean> {
  const stored = await findRole(tx, role.id);
  if (stored && isSame(stored, role)) return false;
  const { id, name, description, permissions } = role;
  if (stored) await replaceRole(tx, { id, name, description, permissions, now });
  else {
    const flags = { built_in: 1, hidden: 0, enabled: 1, requires_two_factor: 0, version: 1 } as const;
    await insertRole(tx, { id, name, description, ...flags, created_at: now, updated_at: now }, permissions);
  }
  return true;
}

function isSame(stored: StoredRole, role: BuiltInRole): boolean {
  return (
    stored.name === role.name &&
    stored.description === role.description &&
    stored.enabled === 1 &&
    stored.built_in === 1 &&
    stored.permissions.size === role.permissions.length &&
    role.permissions.every((permission) => stored.permissions.has(permission))
  );
}
