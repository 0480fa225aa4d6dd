import type { Permission } from '../../../shared/permissions.ts';
import { type Caller, mailboxResource, may, scopeOf } from '../access/service.ts';
import { noSuchFax, notAllowed } from './errors.ts';
import type { JobRow, SentFaxAccess, SentScope, TestFaxes } from './types.ts';

/** True when the caller is the person who sent the fax; this alone grants nothing. */
export const isOwn = (caller: Caller, fax: Pick<JobRow, 'created_by'>): boolean =>
  caller.principal.id === fax.created_by;

/**
 * Returns the scope of the caller's lists, with their own faxes as far as their credential allows: the faxes on which they
 * hold the permission. Null is everything.
 */
export function visibleFaxes(caller: Caller, permission: Permission = 'fax:read'): SentScope | null {
  const { everything, mailboxIds, ownMailboxIds } = scopeOf(caller, permission);
  return everything ? null : { personId: caller.principal.id, ownMailboxIds, mailboxIds };
}

/** Returns the test faxes of a caller's lists: a test key sees no others, and all others see them where they ask for it. */
export function testFaxesFor(caller: Pick<Caller, 'isTest'>, isIncluded: boolean): TestFaxes {
  if (caller.isTest) return 'only';
  return isIncluded ? 'with' : 'without';
}

/** Returns true when the caller may see that the fax exists: readers, and its sender while they may send. */
export function maySeeSent(caller: Caller, fax: SentFaxAccess): boolean {
  return mayDo(caller, 'fax:read', fax) || (isOwn(caller, fax) && mayDo(caller, 'fax:send', fax));
}

/** Returns true when the caller may open the fax. */
export function mayRead(caller: Caller, fax: SentFaxAccess): boolean {
  return mayDo(caller, 'fax:read', fax);
}

/** Returns true when the caller may send the fax again, or receive its acceptance once more. */
export function mayRepeat(caller: Caller, fax: SentFaxAccess): boolean {
  return mayDo(caller, 'fax:send', fax);
}

/** Throws 404 for a fax that must stay hidden from the caller, and 403 for one they may see but not act on this way. */
export function assertMay(caller: Caller, permission: Permission, job: JobRow | undefined): JobRow {
  if (!job) throw noSuchFax();
  if (mayDo(caller, permission, job)) return job;
  throw maySeeSent(caller, job) ? notAllowed() : noSuchFax();
}

/** A sent fax lies in the mailbox it was sent for, and is its sender's own. A test key does nothing with a live one. */
function mayDo(caller: Caller, permission: Permission, fax: SentFaxAccess): boolean {
  if (caller.isTest && fax.test === 0) return false;
  const resources = fax.mailbox_id === null ? [] : [mailboxResource(fax.mailbox_id)];
  return may(caller, permission, { resources, ownerId: fax.created_by });
}
