import { INSTALLATION, type Permission } from '../../../../shared/permissions.ts';
import { mailboxOfResource } from '../../../../shared/resources.ts';
import type { Caller } from '../../../http/caller.ts';
import { ceilingOf, keyOf, visibleTo } from '../authenticated-caller.ts';
import type { Scope } from '../types.ts';

// The rule of authority, for everything that can be seen or done; `docs/decisions/0012` states it in words.

/** Something that a request is about. */
interface OwnedObject {
  /** The mailbox it lies in and its own resource, where it has any: a grant on one of them covers it. */
  readonly resources: readonly string[];
  /** The principal that owns it; null for things without an owner. */
  readonly ownerId: string | null;
}

/**
 * Returns true when the caller may do this to the object: they hold the permission on the installation or on one of its
 * resources; or it is their own, they hold the permission anywhere, and the ceiling of the key they used covers the
 * object.
 */
export function may(caller: Caller, permission: Permission, { resources, ownerId }: OwnedObject): boolean {
  if (caller.holds(permission)) return true;
  if (resources.some((resource) => caller.holds(permission, resource))) return true;
  if (ownerId !== caller.principal.id || !caller.holdsAnywhere(permission)) return false;
  const reach = reachOf(caller, permission);
  return reach === null || resources.some((resource) => reach.includes(resource));
}

/** The same for queries: where the caller holds a permission, and where their own counts. */
interface OwnScope extends Scope {
  /** Restricts one's own things to these mailboxes; null for all of them, in any mailbox. */
  readonly ownMailboxIds: readonly string[] | null;
}

export function scopeOf(caller: Caller, permission: Permission): OwnScope {
  const reach = caller.holdsAnywhere(permission) ? reachOf(caller, permission) : [];
  return {
    ...visibleTo(caller, permission),
    ownMailboxIds: reach?.flatMap((resource) => mailboxOfResource(resource) ?? []) ?? null,
  };
}

/**
 * Returns true when the credential owns something that lies in no mailbox. A person signed in as themselves has all of
 * their own; a key, and a session that began with one, has only what was made with that key.
 */
export function isMadeBy(caller: Caller, maker: { principalId: string; keyId: string | null }): boolean {
  if (maker.principalId !== caller.principal.id) return false;
  const keyId = keyOf(caller);
  return keyId === null || keyId === maker.keyId;
}

/** The resources that the credential reaches with a permission, whatever its owner holds; null for all there are. */
function reachOf(caller: Caller, permission: Permission): string[] | null {
  const ceiling = ceilingOf(caller);
  if (ceiling === null) return null;
  const named = ceiling.filter((entry) => entry.permission === permission).map((entry) => entry.resource_id);
  return named.includes(INSTALLATION) ? null : named;
}
