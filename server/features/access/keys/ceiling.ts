import { INSTALLATION, type Permission } from '../../../../shared/permissions.ts';
import type { CeilingEntry, Grants } from '../types.ts';

const IN_NO_MAILBOX: ReadonlyMap<string, string> = new Map();

/**
 * Intersects the grants of an owner with a key's ceiling, resource by resource. The installation covers every one, a
 * mailbox its documents: `mailboxOf` returns the mailbox of the documents in either list.
 */
export function withinCeiling(
  grants: Grants,
  ceiling: readonly CeilingEntry[],
  mailboxOf: ReadonlyMap<string, string> = IN_NO_MAILBOX,
): Grants {
  const covers = (wide: string, narrow: string) =>
    wide === INSTALLATION || wide === narrow || mailboxOf.get(narrow) === wide;
  const allowed = new Map<string, Set<Permission>>();
  const allow = (resourceId: string, permission: Permission) => {
    const held = allowed.get(resourceId) ?? new Set();
    allowed.set(resourceId, held.add(permission));
  };
  for (const { permission: name, resource_id: limit } of ceiling) {
    const permission = name as Permission;
    for (const [resourceId, held] of grants) {
      if (!held.has(permission)) continue;
      if (covers(limit, resourceId)) allow(resourceId, permission);
      else if (covers(resourceId, limit)) allow(limit, permission);
    }
  }
  return allowed;
}
