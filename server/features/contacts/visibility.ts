import type { Permission } from '../../../shared/permissions.ts';
import { type Caller, mailboxResource, may, scopeOf } from '../access/service.ts';
import type { ContactScope } from './types.ts';

/** Permissions each of which lets its holder see a mailbox, and so the contacts of the mailbox. */
const MAILBOX_PERMISSIONS: readonly Permission[] = ['fax:send', 'fax:read', 'inbound:list', 'work:read'];

/** Returns true when the caller may see contacts at all. */
export function maySeeContacts(caller: Caller): boolean {
  return may(caller, 'contacts:read', { resources: [], ownerId: null });
}

/**
 * Returns true when the caller may see a contact: they see contacts, and the mailbox that owns it. A contact without an
 * owner belongs to everybody who sees contacts.
 */
export function maySee(
  caller: Caller,
  { owner_mailbox_id: owner }: { owner_mailbox_id: string | null },
): boolean {
  return maySeeContacts(caller) && (owner === null || seesMailbox(caller, owner));
}

/** Returns true when the caller sees the mailbox, and may give it a contact. */
export function seesMailbox(caller: Caller, mailboxId: string): boolean {
  const resources = [mailboxResource(mailboxId)];
  return MAILBOX_PERMISSIONS.some((permission) => may(caller, permission, { resources, ownerId: null }));
}

/** Returns the mailboxes whose contacts the caller sees, for queries; null for all. Does not check `contacts:read`. */
export function contactScope(caller: Caller): ContactScope {
  const scopes = MAILBOX_PERMISSIONS.map((permission) => scopeOf(caller, permission));
  if (scopes.some(({ everything }) => everything)) return null;
  return [...new Set(scopes.flatMap(({ mailboxIds }) => mailboxIds))];
}
