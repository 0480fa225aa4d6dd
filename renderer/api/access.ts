import { assignmentRoutes } from '../../shared/api/access-assignments.ts';
import { groupRoutes, roleRoutes } from '../../shared/api/access-groups.ts';
import { accessKeyRoutes } from '../../shared/api/access-keys.ts';
import { mailboxRoutes } from '../../shared/api/access-mailboxes.ts';
import { peopleRoutes } from '../../shared/api/access-people.ts';
import { accessSessionRoutes } from '../../shared/api/access-sessions.ts';
import { auditRoutes } from '../../shared/api/audit.ts';
import { pairingRoutes } from '../../shared/api/pairing.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';
import { queryClient } from './queries.ts';
import { isRefused } from './sentence.ts';

/** Client of the access routes. Loaded with the screens that manage access, not with the first screen. */
export const access = createRooms(
  {
    people: peopleRoutes,
    sessions: accessSessionRoutes,
    groups: groupRoutes,
    roles: roleRoutes,
    assignments: assignmentRoutes,
    keys: accessKeyRoutes,
    mailboxes: mailboxRoutes,
    audit: auditRoutes,
    pairing: pairingRoutes,
  },
  origin,
);

/** Somebody changed access, or this item, since it was read; nothing was changed by this try. */
export function isStale(error: unknown): boolean {
  return isRefused(error, 'stale', 'work_item_changed');
}

/**
 * Reads again everything about access that is shown: a change moves the version that the next change must name. What
 * the person may do themselves can have changed with it.
 */
export async function refetchAccess(): Promise<void> {
  const names = ['access', 'me', 'context'];
  await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
}
