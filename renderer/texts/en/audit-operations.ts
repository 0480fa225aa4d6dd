import type { AuditOperation } from '../../../shared/audit-operations.ts';

type Fact = (name: string) => string;

/** `the role Nurses`, or `a role` where its name was not recorded. */
const named = (what: string, name: string) => (name === '' ? `a ${what}` : `the ${what} ${name}`);
const to = (name: string) => (name === '' ? '' : ` to ${name}`);
const whose = (name: string) => (name === '' ? 'someone' : name);

/** `received fax`, `sent fax` or `transmission report`. */
const documentOf = (name: string) => (name === '' ? 'a document' : `a ${name}`);

/** What somebody did, after their name; facts that were recorded with it may be missing. */
export const DONE: Readonly<Record<AuditOperation, (fact: Fact) => string>> = {
  'session.begin': () => 'signed in',
  'session.password_only': () => 'entered the password without the second factor',
  'session.end': () => 'signed out',
  'session.revoke': () => 'ended a session',
  'password.change': () => 'changed their own password',
  'two_factor.on': () => 'turned on a second factor',
  'two_factor.off': () => 'turned off a second factor',
  'two_factor.new_codes': () => 'created new recovery codes',
  'passkey.add': (fact) => `added the passkey ${fact('passkey')}`.trim(),
  'passkey.remove': (fact) => `removed the passkey ${fact('passkey')}`.trim(),
  'user.create': (fact) => `created ${named('person', fact('display_name'))}`,
  'user.change': (fact) => `changed ${named('person', fact('display_name'))}`,
  'user.reset_password': (fact) => `reset the password of ${whose(fact('login'))}`,
  'user.reset_two_factor': (fact) => `removed the second factor of ${whose(fact('login'))}`,
  'integration.create': (fact) => `created the integration ${fact('display_name')}`.trim(),
  'integration.change': (fact) => `changed the integration ${fact('display_name')}`.trim(),
  'group.create': (fact) => `created ${named('group', fact('name'))}`,
  'group.change': (fact) => `changed ${named('group', fact('group'))}`,
  'group.add_member': (fact) => `added ${whose(fact('principal'))} to ${named('group', fact('group'))}`,
  'group.remove_member': (fact) =>
    `removed ${whose(fact('principal'))} from ${named('group', fact('group'))}`,
  'role.create': (fact) => `created ${named('role', fact('name'))}`,
  'role.change': (fact) => `changed ${named('role', fact('role'))}`,
  'role.refresh': () => 'updated the built-in roles',
  'assignment.create': (fact) => `gave ${named('role', fact('role'))}${to(fact('subject'))}`,
  'assignment.remove': (fact) => `removed ${named('role', fact('role'))} from ${whose(fact('subject'))}`,
  'key.create': (fact) => `created ${named('key', fact('name'))}`,
  'key.change': (fact) => `changed ${named('key', fact('name'))}`,
  'key.rotate': (fact) => `created a new secret for ${named('key', fact('name'))}`,
  'key.replace': (fact) => `replaced ${named('key', fact('name'))}`,
  'key.revoke': (fact) => `revoked ${named('key', fact('name'))}`,
  'key.approve': (fact) => `approved ${named('key', fact('name'))}`,
  'mailbox.create': (fact) => `created ${named('mailbox', fact('label'))}`,
  'mailbox.change': (fact) => `changed ${named('mailbox', fact('mailbox'))}`,
  'inbound_rule.create': (fact) =>
    `filed ${named('number', fact('to_number'))} in ${named('mailbox', fact('mailbox'))}`,
  'inbound_rule.change': (fact) => `moved ${named('number', fact('to_number'))}${to(fact('mailbox'))}`,
  'inbound_rule.remove': (fact) =>
    `removed ${named('number', fact('to_number'))} from ${named('mailbox', fact('mailbox'))}`,
  'pairing.create': () => 'created a code to pair a device',
  'pairing.use': (fact) => `paired ${named('device', fact('device_name'))}`,
  'settings.change': () => 'changed settings',
  'settings.import': () => 'imported settings from the environment',
  'owner.enroll': () => 'set up the first owner',
  'owner.recover': (fact) => `made ${whose(fact('login'))} an owner on the command line`,
  'installation_key.use': (fact) => (fact('route') === '' ? 'was used' : `was used for ${fact('route')}`),
  'installation.restore': () => 'restored the installation from a backup',
  'document.opened': (fact) => `opened ${documentOf(fact('document'))}`,
  'document.printed': (fact) => `printed ${documentOf(fact('document'))}`,
  'document.downloaded': (fact) => `downloaded ${documentOf(fact('document'))}`,
  'inbound.fetch': () => 'fetched a received fax again',
  'inbound.move': (fact) => `moved a received fax${to(fact('to'))}`,
  'inbound_rule.apply': () => 'applied the number rules to older faxes',
  'inbound.test': () => 'created a test fax',
  'inbound.recover': () => 'recovered received faxes that were left behind',
  'callback_address.show': () => 'looked up the callback address with its password',
  'backup.make': () => 'made a backup',
  'backup.download': () => 'downloaded a backup',
  'backup.remove': () => 'removed a backup',
};
