import { hasEffectOn, type Permission } from '../../../../shared/permissions.ts';
import { NotAllowedError } from '../errors.ts';
import type { ActorWithGrants } from '../types.ts';

type RefusedGrant = 'grant_exceeds_giver' | 'key_exceeds_maker';

/**
 * Prevents granting permissions that the actor does not hold on the resource; permissions without effect there are
 * ignored. Throws a 403 refusal.
 */
export function assertMayGrant(
  actor: ActorWithGrants,
  permissions: Iterable<Permission>,
  resourceId: string,
  code: RefusedGrant = 'grant_exceeds_giver',
): void {
  for (const permission of permissions)
    if (hasEffectOn(permission, resourceId) && !actor.holds(permission, resourceId))
      throw new NotAllowedError(code);
}
