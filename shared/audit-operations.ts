/** Everything that the security audit records, as what somebody does. Records are kept, so none is ever taken out. */
export const AUDIT_OPERATIONS = {
  'session.begin': 'Sign in',
  'session.password_only': 'Enter the password without the second factor',
  'session.end': 'Sign out',
  'session.revoke': 'End a session',
  'password.change': 'Change a password',
  'two_factor.on': 'Turn on a second factor',
  'two_factor.off': 'Turn off a second factor',
  'two_factor.new_codes': 'Make new recovery codes',
  'passkey.add': 'Add a passkey',
  'passkey.remove': 'Remove a passkey',
  'user.create': 'Create a person',
  'user.change': 'Change a person',
  'user.reset_password': 'Give a temporary password',
  'user.reset_two_factor': 'Remove a second factor',
  'integration.create': 'Create an integration',
  'integration.change': 'Change an integration',
  'group.create': 'Create a group',
  'group.change': 'Change a group',
  'group.add_member': 'Add a member to a group',
  'group.remove_member': 'Remove a member from a group',
  'role.create': 'Create a role',
  'role.change': 'Change a role',
  'role.refresh': 'Update the built-in roles',
  'assignment.create': 'Give a role',
  'assignment.remove': 'Remove a role',
  'key.create': 'Create an API key',
  'key.change': 'Change an API key',
  'key.rotate': 'Make a new secret for an API key',
  'key.replace': 'Replace an API key',
  'key.revoke': 'Revoke an API key',
  'key.approve': 'Approve an API key',
  'mailbox.create': 'Create a mailbox',
  'mailbox.change': 'Change a mailbox',
  'inbound_rule.create': 'Add a number to a mailbox',
  'inbound_rule.change': 'Move a number to another mailbox',
  'inbound_rule.remove': 'Remove a number from a mailbox',
  'pairing.create': 'Show a code to pair a device',
  'pairing.use': 'Pair a device',
  'settings.change': 'Change settings',
  'settings.import': 'Take settings from the environment',
  'owner.enroll': 'Set up the first owner',
  'owner.recover': 'Recover an owner',
  'installation_key.use': 'Use the installation key',
  'installation.restore': 'Restore the installation from a backup',
  'document.opened': 'Open a document',
  'document.printed': 'Print a document',
  'document.downloaded': 'Download a document',
  'inbound.fetch': 'Fetch a received fax again',
  'inbound.move': 'Move a received fax to a mailbox',
  'contact.create': 'Create a contact',
  'contact.change': 'Change a contact',
  'contact.remove': 'Remove a contact',
  'contact.forget_line': 'Forget what calls taught of a number',
  'contact.import': 'Import contacts',
  'contact.export': 'Export contacts',
  'work_settings.change': 'Change acknowledgement targets and backup people',
  'inbound_rule.apply': 'Apply the number rules to older faxes',
  'inbound.test': 'Create a test fax',
  'inbound.recover': 'Recover received faxes',
  'telephony.configure': 'Write the configuration of the telephone engine',
  'callback_address.show': 'Show the password of a callback address',
  'backup.make': 'Make a backup',
  'backup.restore': 'Restore a backup',
  'backup.download': 'Download a backup',
  'backup.remove': 'Remove a backup',
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
