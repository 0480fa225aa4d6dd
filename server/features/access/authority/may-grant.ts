import { opensSomething, type Permission } from '../../../../shared/permissions.ts';
import { NotAllowedError } from '../errors.ts';
import type { ActorWithGrants, Grants } from '../types.ts';

type RefusedGrant = 'grant_exceeds_giver' | 'person_holds_more' | 'key_exceeds_maker';

/** Nobody gives away what they do not hold there; what opens nothing there is nothing. Throws a 403 refusal. */
export function assertMayGrant(
  actor: ActorWithGrants,
  permissions: Iterable<Permission>,
  resourceId: string,
  code: RefusedGrant = 'grant_exceeds_giver',
): void {
  for (const permission of permissions)
    if (opensSomething(permission, resourceId) && !actor.holds(permission, resourceId))
      throw new NotAllowedError(code);
}

/**
 * Whoever may set the password of somebody, or join a group for them, may do what they do: so it takes all that they hold,
 * wherever they hold it. Throws a 403 refusal.
 */
export function assertCovers(
  actor: ActorWithGrants,
  grants: Grants,
  code: RefusedGrant = 'person_holds_more',
): void {
  for (const [resourceId, permissions] of grants) assertMayGrant(actor, permissions, resourceId, code);
}
