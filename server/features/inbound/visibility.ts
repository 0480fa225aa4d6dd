import { EVENT_PERMISSIONS } from '../../../shared/api/console-events.ts';
import type { Permission } from '../../../shared/permissions.ts';
import { type Caller, documentResource, mailboxResource, may, SEE_PERMISSIONS } from '../access/service.ts';
import { noSuchInbound, notAllowed } from './errors.ts';
import type { FaxRow, ReceivedFaxAccess, TestFaxes } from './types.ts';

/** Returns the test faxes of a caller's lists: a test key sees no others, and all others see them where they ask for it. */
export function testFaxesFor(caller: Pick<Caller, 'isTest'>, isIncluded: boolean): TestFaxes {
  if (caller.isTest) return 'only';
  return isIncluded ? 'with' : 'without';
}

/** Returns true when the caller may see the fax in a list. */
export function mayListFax(caller: Caller, fax: ReceivedFaxAccess): boolean {
  return mayDo(caller, 'inbound:list', fax);
}

/** Returns true when the caller may receive events about the fax. */
export function mayReceiveFaxEvents(caller: Caller, fax: ReceivedFaxAccess): boolean {
  return mayDo(caller, EVENT_PERMISSIONS['inbound.changed'], fax);
}

/** Returns true when the caller may open the fax. */
export function mayReadFax(caller: Caller, fax: ReceivedFaxAccess): boolean {
  return mayDo(caller, 'inbound:read', fax);
}

/** Returns true when the caller may open the document of the fax. */
export function mayOpenDocument(caller: Caller, fax: ReceivedFaxAccess): boolean {
  return mayDo(caller, 'inbound:document', fax);
}

/** Returns true when the caller may see the work item of the fax. */
export function mayReadWork(caller: Caller, fax: ReceivedFaxAccess): boolean {
  return mayDo(caller, 'work:read', fax);
}

/** Returns true when the caller may manage the work item of the fax. */
function mayManageWork(caller: Caller, fax: ReceivedFaxAccess): boolean {
  return mayDo(caller, 'work:manage', fax);
}

/**
 * Checks a permission on the fax: it has no owner, lies in its mailbox, and is a resource itself. A test key does nothing
 * with a live one.
 */
function mayDo(caller: Caller, permission: Permission, { id, mailbox_id, test }: ReceivedFaxAccess): boolean {
  if (caller.isTest && test === 0) return false;
  const own = documentResource(id);
  const resources = mailbox_id === null ? [own] : [own, mailboxResource(mailbox_id)];
  return may(caller, permission, { resources, ownerId: null });
}

/** Returns true when the caller may see everything of the fax: only then may they decide who else does. */
export function seesAllOf(caller: Caller, fax: ReceivedFaxAccess): boolean {
  return SEE_PERMISSIONS.every((seeing) => mayDo(caller, seeing, fax));
}

/** Returns true when the caller may move the fax: with access to all of it, and permission to manage its work. */
export function mayMove(caller: Caller, fax: ReceivedFaxAccess): boolean {
  return mayManageWork(caller, fax) && seesAllOf(caller, fax);
}

/** Throws a 403 refusal. */
export function assertMayMove(caller: Caller, fax: ReceivedFaxAccess): void {
  if (!mayMove(caller, fax)) throw notAllowed();
}

/** Throws 404 for a fax the caller may not see at all, and 403 for one they may see without this permission. */
export function assertMay(caller: Caller, permission: Permission, row: FaxRow | undefined): FaxRow {
  if (!row) throw noSuchInbound();
  if (mayDo(caller, permission, row)) return row;
  throw SEE_PERMISSIONS.some((seeing) => mayDo(caller, seeing, row)) ? notAllowed() : noSuchInbound();
}
