import { ACCESS_MESSAGES } from '../../../../shared/api/access.ts';
import { opensSomething, type Permission } from '../../../../shared/permissions.ts';
import { NotAllowedError } from '../errors.ts';
import type { ActorWithRights, Grants } from '../types.ts';

/** Nobody gives away what they do not hold there; what opens nothing there is nothing. Throws a 403 refusal. */
export function assertMayGrant(
  actor: ActorWithRights,
  permissions: Iterable<Permission>,
  resourceId: string,
  message: string = ACCESS_MESSAGES.grantsMore,
): void {
  for (const permission of permissions)
    if (opensSomething(permission, resourceId) && !actor.holds(permission, resourceId))
      throw new NotAllowedError(message);
}

/**
 * Whoever may set the password of somebody, or join a group for them, may do what they do: so it takes all that they hold,
 * wherever they hold it. Throws a 403 refusal.
 */
export function assertCovers(
  actor: ActorWithRights,
  grants: Grants,
  message: string = ACCESS_MESSAGES.holdsMore,
): void {
  for (const [resourceId, permissions] of grants) assertMayGrant(actor, permissions, resourceId, message);
}
