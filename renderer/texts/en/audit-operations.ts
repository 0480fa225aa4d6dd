type Fact = (name: string) => string;

interface Operation {
  /** In the list to choose from. */
  readonly label: string;
  /** After the name of who did it; facts that were recorded with it may be missing. */
  readonly done: (fact: Fact) => string;
}

/** `the role Nurses`, or `a role` where its name was not recorded. */
const named = (what: string, name: string) => (name === '' ? `a ${what}` : `the ${what} ${name}`);
const to = (name: string) => (name === '' ? '' : ` to ${name}`);
const whose = (name: string) => (name === '' ? 'somebody' : name);

/** What the security audit records, by room and verb. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'session.begin': { label: 'Signing in', done: () => 'signed in' },
  'session.end': { label: 'Signing out', done: () => 'signed out' },
  'session.revoke': { label: 'Ending a session', done: () => 'ended a session' },
  'password.change': { label: 'Changing the own password', done: () => 'changed their own password' },
  'two_factor.on': { label: 'Turning on a second factor', done: () => 'turned on a second factor' },
  'two_factor.off': { label: 'Turning off a second factor', done: () => 'turned off a second factor' },
  'two_factor.new_codes': { label: 'New recovery codes', done: () => 'made new recovery codes' },
  'user.create': {
    label: 'Creating a person',
    done: (fact) => `created ${named('person', fact('display_name'))}`,
  },
  'user.change': {
    label: 'Changing a person',
    done: (fact) => `changed ${named('person', fact('display_name'))}`,
  },
  'user.reset_password': {
    label: 'Resetting a password',
    done: (fact) => `reset the password of ${whose(fact('login'))}`,
  },
  'user.reset_two_factor': {
    label: 'Removing a second factor',
    done: (fact) => `removed the second factor of ${whose(fact('login'))}`,
  },
  'integration.create': {
    label: 'Creating an integration',
    done: (fact) => `created the integration ${fact('display_name')}`.trim(),
  },
  'integration.change': {
    label: 'Changing an integration',
    done: (fact) => `changed the integration ${fact('display_name')}`.trim(),
  },
  'group.create': { label: 'Creating a group', done: (fact) => `created ${named('group', fact('name'))}` },
  'group.change': { label: 'Changing a group', done: (fact) => `changed ${named('group', fact('group'))}` },
  'group.add_member': {
    label: 'Adding to a group',
    done: (fact) => `added ${whose(fact('principal'))} to ${named('group', fact('group'))}`,
  },
  'group.remove_member': {
    label: 'Removing from a group',
    done: (fact) => `removed ${whose(fact('principal'))} from ${named('group', fact('group'))}`,
  },
  'role.create': { label: 'Creating a role', done: (fact) => `created ${named('role', fact('name'))}` },
  'role.change': { label: 'Changing a role', done: (fact) => `changed ${named('role', fact('role'))}` },
  'role.refresh': { label: 'Renewing built-in roles', done: () => 'renewed the built-in roles' },
  'assignment.create': {
    label: 'Giving a role',
    done: (fact) => `gave ${named('role', fact('role'))}${to(fact('subject'))}`,
  },
  'assignment.remove': {
    label: 'Taking a role away',
    done: (fact) => `took ${named('role', fact('role'))} away from ${whose(fact('subject'))}`,
  },
  'key.create': { label: 'Creating a key', done: (fact) => `created ${named('key', fact('name'))}` },
  'key.change': { label: 'Changing a key', done: (fact) => `changed ${named('key', fact('name'))}` },
  'key.rotate': {
    label: 'Making a new secret for a key',
    done: (fact) => `made a new secret for ${named('key', fact('name'))}`,
  },
  'key.replace': { label: 'Replacing a key', done: (fact) => `replaced ${named('key', fact('name'))}` },
  'key.revoke': { label: 'Revoking a key', done: (fact) => `revoked ${named('key', fact('name'))}` },
  'key.approve': { label: 'Approving a key', done: (fact) => `approved ${named('key', fact('name'))}` },
  'mailbox.create': {
    label: 'Creating a mailbox',
    done: (fact) => `created ${named('mailbox', fact('label'))}`,
  },
  'mailbox.change': {
    label: 'Changing a mailbox',
    done: (fact) => `changed ${named('mailbox', fact('mailbox'))}`,
  },
  'inbound_rule.create': {
    label: 'Adding a number',
    done: (fact) => `filed ${named('number', fact('to_number'))} in ${named('mailbox', fact('mailbox'))}`,
  },
  'inbound_rule.change': {
    label: 'Moving a number',
    done: (fact) => `moved ${named('number', fact('to_number'))}${to(fact('mailbox'))}`,
  },
  'inbound_rule.remove': {
    label: 'Removing a number',
    done: (fact) => `removed ${named('number', fact('to_number'))} from ${named('mailbox', fact('mailbox'))}`,
  },
  'pairing.create': { label: 'Making a pairing code', done: () => 'made a code to pair a device' },
  'pairing.use': {
    label: 'Pairing a device',
    done: (fact) => `paired ${named('device', fact('device_name'))}`,
  },
  'settings.change': { label: 'Changing settings', done: () => 'changed settings' },
  'settings.import': { label: 'Reading settings', done: () => 'took over settings of the environment' },
  'owner.enroll': { label: 'Making the first owner', done: () => 'made the first owner' },
  'owner.recover': {
    label: 'Recovering ownership',
    done: (fact) => `made ${whose(fact('login'))} an owner on the command line`,
  },
  'installation_key.use': {
    label: 'Using the installation key',
    done: () => 'came in with the installation key',
  },
  'installation.restore': {
    label: 'Restoring a backup',
    done: () => 'restored the installation from a backup',
  },
  'inbound.fetch': { label: 'Fetching a fax again', done: () => 'fetched a received fax again' },
  'inbound.test': { label: 'Making a test fax', done: () => 'made a received fax to try things out' },
  'inbound.recover': { label: 'Recovering faxes', done: () => 'brought in faxes that were left over' },
};
