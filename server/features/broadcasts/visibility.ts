import { EVENT_PERMISSIONS } from '../../../shared/api/console-events.ts';
import type { Permission } from '../../../shared/permissions.ts';
import { type Caller, mailboxResource, may, scopeOf } from '../access/service.ts';
import { noSuchBroadcast, notAllowed } from './errors.ts';
import type { BroadcastRow, BroadcastScope } from './types.ts';

/** Returns the scope of the caller's lists. Null is everything. */
export function visibleBroadcasts(caller: Caller): BroadcastScope | null {
  const { everything, mailboxIds, ownMailboxIds } = scopeOf(caller, 'fax:read');
  return everything ? null : { personId: caller.principal.id, ownMailboxIds, mailboxIds };
}

/** Returns true when the caller may receive events about the broadcast. */
export const mayReceiveEvents = (caller: Caller, broadcast: BroadcastAccess): boolean =>
  mayDo(caller, EVENT_PERMISSIONS['broadcast.changed'], broadcast);

type BroadcastAccess = Pick<BroadcastRow, 'mailbox_id' | 'created_by' | 'test'>;

/** A broadcast lies in the mailbox it is sent for, and is its sender's own. A test key does nothing with a live one. */
function mayDo(caller: Caller, permission: Permission, broadcast: BroadcastAccess): boolean {
  if (caller.isTest && broadcast.test === 0) return false;
  const { mailbox_id: mailbox, created_by: ownerId } = broadcast;
  return may(caller, permission, { resources: mailbox === null ? [] : [mailboxResource(mailbox)], ownerId });
}

/** Throws 404 for a broadcast that must stay hidden from the caller, and 403 for one they may see but not change. */
export function assertMay(
  caller: Caller,
  permission: Permission,
  broadcast: BroadcastRow | undefined,
): BroadcastRow {
  if (!broadcast) throw noSuchBroadcast();
  if (mayDo(caller, permission, broadcast)) return broadcast;
  throw mayDo(caller, 'fax:read', broadcast) ? notAllowed() : noSuchBroadcast();
}
