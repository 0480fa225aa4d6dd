import type { Permission } from '../../../shared/permissions.ts';
import { type Caller, mailboxResource, visibleTo } from '../access/service.ts';
import { noSuchFax, notAllowed } from './errors.ts';
import type { JobRow, SentFaxAccess, SentScope } from './types.ts';

/** Whether the caller is the one who sent the fax, or made the preview. */
export const isOwn = (caller: Caller, ownerId: string): boolean => caller.principal.id === ownerId;

/** What the caller sees in lists: always their own faxes too. Null is everything. */
export function visibleFaxes(caller: Caller): SentScope | null {
  const { everything, mailboxIds } = visibleTo(caller, 'fax:read');
  return everything ? null : { personId: caller.principal.id, mailboxIds };
}

/** Whether the caller may know that the fax exists: who may read it, and its sender while they may send. */
export function mayKnowOfSent(caller: Caller, fax: SentFaxAccess): boolean {
  return may(caller, 'fax:read', fax) || (isOwn(caller, fax.created_by) && caller.holdsAnywhere('fax:send'));
}

/** Whether the caller may open the fax. */
export function mayRead(caller: Caller, fax: SentFaxAccess): boolean {
  return may(caller, 'fax:read', fax);
}

/** Throws 404 for a fax the caller may not know of, and 403 for one they may see without being allowed this. */
export function assertMay(caller: Caller, permission: Permission, job: JobRow | undefined): JobRow {
  if (!job) throw noSuchFax();
  if (may(caller, permission, job)) return job;
  throw mayKnowOfSent(caller, job) ? notAllowed() : noSuchFax();
}

/** On everything, on the mailbox of the fax, or anywhere for one's own. */
function may(caller: Caller, permission: Permission, fax: SentFaxAccess): boolean {
  if (caller.holds(permission)) return true;
  if (isOwn(caller, fax.created_by) && caller.holdsAnywhere(permission)) return true;
  return fax.mailbox_id !== null && caller.holds(permission, mailboxResource(fax.mailbox_id));
}
