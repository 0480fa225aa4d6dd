import { PERMISSIONS, type Permission } from '../../shared/permissions.ts';
import { RefusalError } from './errors.ts';

/**
 * Refuses what opens more than the caller may do for the whole installation, such as a setting that names who gets documents.
 * `doing` begins the sentence: `To change “Send folder”`. Throws a 403 refusal that names the first permission that is missing.
 */
export function assertMayOpen(
  caller: { holds(permission: Permission): boolean },
  permissions: readonly Permission[],
  doing: string,
): void {
  const missing = permissions.find((permission) => !caller.holds(permission));
  if (missing === undefined) return;
  throw new RefusalError('setting_opens_more', {
    sentence: `${doing} you need the permission “${PERMISSIONS[missing]}” for the whole installation.`,
  });
}
