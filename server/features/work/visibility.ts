import { EVENT_PERMISSIONS } from '../../../shared/api/console-events.ts';
import type { Permission } from '../../../shared/permissions.ts';
import { type Caller, documentResource, mailboxResource, may } from '../access/service.ts';
import { noSuchItem, notAllowed } from './errors.ts';
import type { ItemAccess } from './parts.ts';

/** Returns the resources that cover an item: its document, and the mailbox of the document. */
export function resourcesOf({ inbound_fax_id, mailbox_id }: ItemAccess): string[] {
  const own = documentResource(inbound_fax_id);
  return mailbox_id === null ? [own] : [own, mailboxResource(mailbox_id)];
}

/** Owning an item gives no access: what counts is what is granted on its document, its mailbox or everything. */
export function mayDo(caller: Caller, permission: Permission, item: ItemAccess): boolean {
  return may(caller, permission, { resources: resourcesOf(item), ownerId: null });
}

/** Returns true when the caller may receive events about the item. */
export function mayReceiveItemEvents(caller: Caller, item: ItemAccess): boolean {
  return mayDo(caller, EVENT_PERMISSIONS['work.changed'], item);
}

/** Throws 404 for an item the caller may not see, and 403 for one they may see without being allowed this. */
export function assertMay<T extends ItemAccess>(
  caller: Caller,
  permission: Permission,
  item: T | undefined,
): T {
  if (!item) throw noSuchItem();
  if (mayDo(caller, permission, item)) return item;
  throw mayDo(caller, 'work:read', item) ? notAllowed() : noSuchItem();
}
