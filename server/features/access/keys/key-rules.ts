import type { KEY_STATES } from '../../../../shared/api/access-keys.ts';
import { isPermission, LEGACY, TEST_KEY_PERMISSIONS } from '../../../../shared/permissions.ts';
import type { ReadDb } from '../../../db/database.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { AccessConflictError, AccessValueError, MissingError, NotAllowedError } from '../errors.ts';
import type { Resources } from '../resources.ts';
import { BOOTSTRAP_ID, findPrincipal } from '../store/principals.ts';
import type { ActorWithGrants, CeilingEntry, KeyMeta, Principal } from '../types.ts';

export type KeyState = (typeof KEY_STATES)[number];

/**
 * Days for which a key stays valid after its maker was disabled, so that nothing stops before there was time for a
 * review.
 */
const LEAVER_DAYS = 7;
export const LEAVER_MS = LEAVER_DAYS * 24 * 60 * 60_000;

/** Returns the time at which a key stops because its maker was disabled; null while they are not. ISO 8601 UTC. */
export function stopOf({ makerLeftAt }: Pick<KeyMeta, 'makerLeftAt'>): string | null {
  return makerLeftAt === null ? null : isoTime(epochOf(makerLeftAt) + LEAVER_MS);
}

/** Returns the earlier of its expiry and that time. */
export function lastEndOf(key: Pick<KeyMeta, 'expiresAt' | 'makerLeftAt'>): string | null {
  const ends = [key.expiresAt, stopOf(key)].filter((end) => end !== null);
  return ends.sort()[0] ?? null;
}

/** Returns the state of a key at `now` (ISO 8601 UTC). */
export function stateOf(key: KeyMeta, now: string): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.state === 'review') return 'review';
  const end = lastEndOf(key);
  return end !== null && end <= now ? 'expired' : 'active';
}

/**
 * Every entry names a permission and a resource that there are, none comes twice, a test key may hold it, and the actor
 * holds all of them. Throws 400 and 403.
 */
export async function assertCeiling(
  db: ReadDb,
  resources: Resources,
  check: { actor: ActorWithGrants; ceiling: readonly CeilingEntry[]; isTest: boolean },
): Promise<void> {
  const { ceiling, isTest } = check;
  const seen = new Set(ceiling.map(({ permission, resource_id }) => `${permission} ${resource_id}`));
  if (seen.size < ceiling.length) throw new AccessValueError('permission_repeated');
  if (!ceiling.every(({ permission }) => isPermission(permission)))
    throw new AccessValueError('no_such_permission');
  if (ceiling.some((entry) => entry.resource_id === LEGACY))
    throw new AccessValueError('no_mailbox_resource');
  if (isTest) assertTestPermissions(ceiling.map(({ permission }) => permission));
  await assertMayHold(db, resources, check);
  for (const id of new Set(ceiling.map((entry) => entry.resource_id)))
    if (!(await resources.find(db, id))) throw new AccessValueError('no_such_key_resource');
}

/** Throws a 400 refusal for a permission that a test key cannot have. */
export function assertTestPermissions(permissions: readonly string[]): void {
  const allowed: readonly string[] = TEST_KEY_PERMISSIONS;
  if (!permissions.every((permission) => allowed.includes(permission)))
    throw new AccessValueError('test_key_permission');
}

/**
 * Whoever puts something on a key, or is shown its secret, must hold all that its ceiling names, also what its principal
 * may not do yet: it would come alive with the next role. Names of earlier releases open nothing. Throws 403.
 */
export async function assertMayHold(
  db: ReadDb,
  resources: Resources,
  { actor, ceiling }: { actor: ActorWithGrants; ceiling: readonly CeilingEntry[] },
): Promise<void> {
  for (const { permission, resource_id: id } of ceiling) {
    if (!isPermission(permission) || actor.holds(permission, id)) continue;
    const within = (await resources.find(db, id))?.within ?? null;
    if (within === null || !actor.holds(permission, within)) throw new NotAllowedError('key_exceeds_maker');
  }
}

/** The end of a key in the stored form. Throws 400 for one that has passed. */
export function endOf(expiresAt: string | null, now: string): string | null {
  if (expiresAt === null) return null;
  const end = isoTime(epochOf(expiresAt));
  if (end <= now) throw new AccessValueError('expiry_past');
  return end;
}

export interface PrincipalRef {
  id: string;
  version: number;
}

/** Returns the future owner of a key, as last read. Throws 404, 409 when stale or disabled. */
export async function keyOwner(db: ReadDb, ref: PrincipalRef): Promise<Principal> {
  const owner = ref.id === BOOTSTRAP_ID ? null : await findPrincipal(db, ref.id);
  if (!owner) throw new MissingError('no_such_person');
  if (owner.version !== ref.version) throw new AccessConflictError();
  assertEnabled(owner);
  return owner;
}

/** Throws 409 for a disabled principal, because no secret is issued for one. */
export function assertEnabled(owner: Pick<Principal, 'enabled'> | null): void {
  if (!owner?.enabled) throw new AccessConflictError('key_owner_disabled');
}
