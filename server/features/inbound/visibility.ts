import { EVENT_PERMISSIONS } from '../../../shared/api/console.ts';
import { INSTALLATION, type Permission } from '../../../shared/permissions.ts';
import { type Caller, documentResource, mailboxResource } from '../access/service.ts';
import { noSuchInbound, notAllowed } from './errors.ts';
import type { FaxRow } from './types.ts';

/** What of a received fax decides who may know of it. */
export type ReceivedFaxAccess = Pick<FaxRow, 'id' | 'mailbox_id'>;

const SEEING: readonly Permission[] = ['inbound:list', 'inbound:read', 'inbound:document'];

/** Whether the caller may hear that something happened to the fax. */
export function mayKnowOfReceived(caller: Caller, fax: ReceivedFaxAccess): boolean {
  return may(caller, EVENT_PERMISSIONS['inbound.changed'], fax);
}

/** Whether the caller may decide what becomes of the fax. */
export function mayManageWork(caller: Caller, fax: ReceivedFaxAccess): boolean {
  return may(caller, 'work:manage', fax);
}

/** On everything, on the mailbox of the fax, or on the fax itself. */
function may(caller: Caller, permission: Permission, fax: ReceivedFaxAccess): boolean {
  return resourcesOf(fax).some((resource) => caller.holds(permission, resource));
}

/** Throws 404 for a fax the caller may not know of, and 403 for one they may see without being allowed this. */
export function assertMay(caller: Caller, permission: Permission, row: FaxRow | undefined): FaxRow {
  if (!row) throw noSuchInbound();
  if (may(caller, permission, row)) return row;
  throw SEEING.some((seeing) => may(caller, seeing, row)) ? notAllowed() : noSuchInbound();
}

/** Where doing something with this fax can be granted. */
function resourcesOf({ id, mailbox_id }: ReceivedFaxAccess): string[] {
  const own = [INSTALLATION, documentResource(id)];
  return mailbox_id === null ? own : [...own, mailboxResource(mailbox_id)];
}
