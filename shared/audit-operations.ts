/** Everything that the security audit records, with words for a list. Records are kept, so none is ever taken out. */
export const AUDIT_OPERATIONS = {
  'session.begin': 'Signing in',
  'session.password_only': 'Password without second factor',
  'session.end': 'Signing out',
  'session.revoke': 'Ending a session',
  'password.change': 'Changing the own password',
  'two_factor.on': 'Turning on a second factor',
  'two_factor.off': 'Turning off a second factor',
  'two_factor.new_codes': 'New recovery codes',
  'passkey.add': 'Adding a passkey',
  'passkey.remove': 'Removing a passkey',
  'user.create': 'Creating a person',
  'user.change': 'Changing a person',
  'user.reset_password': 'Resetting a password',
  'user.reset_two_factor': 'Removing a second factor',
  'integration.create': 'Creating an integration',
  'integration.change': 'Changing an integration',
  'group.create': 'Creating a group',
  'group.change': 'Changing a group',
  'group.add_member': 'Adding to a group',
  'group.remove_member': 'Removing from a group',
  'role.create': 'Creating a role',
  'role.change': 'Changing a role',
  'role.refresh': 'Renewing built-in roles',
  'assignment.create': 'Giving a role',
  'assignment.remove': 'Taking a role away',
  'key.create': 'Creating a key',
  'key.change': 'Changing a key',
  'key.rotate': 'Making a new secret for a key',
  'key.replace': 'Replacing a key',
  'key.revoke': 'Revoking a key',
  'key.approve': 'Approving a key',
  'mailbox.create': 'Creating a mailbox',
  'mailbox.change': 'Changing a mailbox',
  'inbound_rule.create': 'Adding a number',
  'inbound_rule.change': 'Moving a number',
  'inbound_rule.remove': 'Removing a number',
  'pairing.create': 'Making a pairing code',
  'pairing.use': 'Pairing a device',
  'settings.change': 'Changing settings',
  'settings.import': 'Reading settings',
  'owner.enroll': 'Making the first owner',
  'owner.recover': 'Recovering ownership',
  'installation_key.use': 'Using the installation key',
  'installation.restore': 'Restoring a backup',
  'document.opened': 'Opening a document',
  'document.printed': 'Printing a document',
  'document.downloaded': 'Downloading a document',
  'inbound.fetch': 'Fetching a fax again',
  'inbound.move': 'Moving a fax to a mailbox',
  'inbound_rule.apply': 'Applying the number rules to older faxes',
  'inbound.test': 'Making a test fax',
  'inbound.recover': 'Recovering faxes',
  'callback_address.show': 'Showing the password of a callback address',
  'backup.make': 'Making a backup',
  'backup.download': 'Downloading a backup',
  'backup.remove': 'Removing a backup',
} as const;
export type AuditOperation = keyof typeof AUDIT_OPERATIONS;

/** Who got which document to see. */
export const DOCUMENT_OPERATIONS = [
  'document.opened',
  'document.printed',
  'document.downloaded',
] as const satisfies readonly AuditOperation[];

/** Records outlive a release: it may be an operation that this one does not know. */
export const isAuditOperation = (operation: string): operation is AuditOperation =>
  Object.hasOwn(AUDIT_OPERATIONS, operation);

/** An operation in words; one of another release stands as it is. */
export const operationWords = (operation: string): string =>
  isAuditOperation(operation) ? AUDIT_OPERATIONS[operation] : operation;
