import { type AuditOperation, isAuditOperation, operationWords } from './audit-operations.ts';
import { isTerminalEnd, TERMINAL_ENDS } from './states/terminal.ts';

type Fact = (name: string) => string;

/** `the role Nurses`, or `a role` where its name was not recorded. */
function named(what: string, name: string): string {
  if (name !== '') return `the ${what} ${name}`;
  return /^[aeiou]/iu.test(what) ? `an ${what}` : `a ${what}`;
}
const toTarget = (name: string) => (name === '' ? '' : ` to ${name}`);
const address = (name: string) => name || 'an address';
const summaryOf = (day: string) => (day === '' ? 'a daily summary' : `the daily summary of ${day}`);
const personName = (name: string) => (name === '' ? 'someone' : name);

/** `received fax`, `sent fax` or `transmission report`. */
const documentOf = (name: string) => (name === '' ? 'a document' : `a ${name}`);

/** Empty for the whole installation, whose recorded name is `everything`. */
const onResource = (name: string) =>
  name === '' || name.toLowerCase() === 'everything' ? '' : ` for ${name}`;

/** `their stamp Paid`, or `a signature or stamp` where its name was not recorded. */
const ownPicture = (fact: Fact) =>
  fact('name') === '' ? 'a signature or stamp' : `their ${fact('kind') || 'signature'} ${fact('name')}`;

/** `a printed document of 3 pages`, or without its pages where they were not recorded. */
function printedDocument(pages: string, source: string): string {
  const name = source === 'scanner' ? 'a scanned document' : 'a printed document';
  return pages === '' ? name : `${name} of ${pages} ${pages === '1' ? 'page' : 'pages'}`;
}

/** `the archive of 2023`, or `the archive of month 5 of 2023`. */
const archiveOf = (year: string, month: string) => {
  if (year === '') return 'the archive of a year';
  return month === '' ? `the archive of ${year}` : `the archive of month ${month} of ${year}`;
};

const settings = (count: string) =>
  count === '1' ? '1 setting' : count === '' ? 'settings' : `${count} settings`;

/** The reason why a console terminal ended, where it was not its person. */
const terminalReason = (reason: string) => {
  if (['', 'closed', 'exited', 'window_closed'].includes(reason)) return '';
  return `: ${isTerminalEnd(reason) ? TERMINAL_ENDS[reason] : reason}`;
};

const PRINT_DECISIONS: Readonly<Record<string, string>> = {
  printed: 'confirmed that a received fax was printed',
  print_again: 'had a received fax printed again',
  do_not_print: 'decided that a received fax is not printed',
};

/** Predicate of the sentence for each operation, after the actor's name; recorded facts may be missing. */
const PREDICATES: Readonly<Record<AuditOperation, (fact: Fact) => string>> = {
  'session.begin': () => 'signed in',
  'session.password_only': () => 'entered the password without the second factor',
  'session.end': () => 'signed out',
  'session.revoke': (fact) => `ended a session of ${personName(fact('principal'))}`,
  'password.change': () => 'changed their own password',
  'two_factor.on': () => 'turned on a second factor',
  'two_factor.off': () => 'turned off a second factor',
  'two_factor.new_codes': () => 'made new recovery codes',
  'passkey.add': (fact) => `added the passkey ${fact('passkey')}`.trim(),
  'passkey.remove': (fact) => `removed the passkey ${fact('passkey')}`.trim(),
  'pin.set': () => 'set their PIN',
  'card.set': () => 'set their card',
  'quick_sign_in.remove': (fact) => `removed their ${fact('what') === 'card' ? 'card' : 'PIN'}`,
  'user.reset_quick_sign_in': (fact) =>
    `removed the PIN and the card of ${personName(fact('person') || fact('login'))}`,
  'user.create': (fact) => `created ${named('person', fact('display_name'))}`,
  'user.change': (fact) => `changed ${named('person', fact('person') || fact('display_name'))}`,
  'user.reset_password': (fact) => `gave ${personName(fact('person') || fact('login'))} a temporary password`,
  'user.reset_two_factor': (fact) =>
    `removed the second factor of ${personName(fact('person') || fact('login'))}`,
  'integration.create': (fact) => `created ${named('integration', fact('display_name'))}`,
  'integration.change': (fact) => `changed ${named('integration', fact('person') || fact('display_name'))}`,
  'group.create': (fact) => `created ${named('group', fact('name'))}`,
  'group.change': (fact) => `changed ${named('group', fact('group'))}`,
  'group.add_member': (fact) => `added ${personName(fact('principal'))} to ${named('group', fact('group'))}`,
  'group.remove_member': (fact) =>
    `removed ${personName(fact('principal'))} from ${named('group', fact('group'))}`,
  'role.create': (fact) => `created ${named('role', fact('name'))}`,
  'role.change': (fact) => `changed ${named('role', fact('role'))}`,
  'role.refresh': () => 'updated the built-in roles',
  'assignment.create': (fact) =>
    `gave ${personName(fact('subject'))} ${named('role', fact('role'))}${onResource(fact('resource'))}`,
  'assignment.remove': (fact) =>
    `removed ${named('role', fact('role'))} from ${personName(fact('subject'))}${onResource(fact('resource'))}`,
  'key.create': (fact) => `created ${named('API key', fact('name'))}`,
  'key.change': (fact) => `changed ${named('API key', fact('name'))}`,
  'key.rotate': (fact) => `made a new secret for ${named('API key', fact('name'))}`,
  'key.replace': (fact) => `replaced ${named('API key', fact('name'))}`,
  'key.revoke': (fact) => `revoked ${named('API key', fact('name'))}`,
  'key.approve': (fact) => `approved ${named('API key', fact('name'))}`,
  'key.take_over': (fact) => `took over ${named('API key', fact('name'))} from an earlier release`,
  'webhook.create': (fact) => `created ${named('webhook', fact('address'))}`,
  'webhook.change': (fact) => `changed ${named('webhook', fact('address'))}`,
  'webhook.replace_secret': (fact) => `replaced the secret of ${named('webhook', fact('address'))}`,
  'webhook.remove': (fact) => `removed ${named('webhook', fact('address'))}`,
  'webhook.test': (fact) => `sent a test event to ${named('webhook', fact('address'))}`,
  'webhook.send_again': (fact) => `sent an event again to ${named('webhook', fact('address'))}`,
  'webhook.pause': (fact) => `paused ${named('webhook', fact('address'))}`,
  'direct.rotate': () => 'made new keys for direct delivery',
  'partner.add': (fact) => `added ${named('partner', fact('organization'))}`,
  'partner.change_card': (fact) => `replaced the card of ${named('partner', fact('organization'))}`,
  'partner.challenge': (fact) => `faxed a code to ${named('partner', fact('organization'))}`,
  'partner.confirm': (fact) => `returned the code of ${named('partner', fact('organization'))}`,
  'partner.verified': () => 'returned the code that was faxed to its number',
  'partner.close_code': () => 'gave the last wrong code, so the code was closed',
  'partner.change_keys': () => 'replaced its keys',
  'partner.revoke': (fact) => `removed ${named('partner', fact('organization'))}`,
  'partner.revoked': () => 'ended the partnership',
  'mailbox.create': (fact) => `created ${named('mailbox', fact('label'))}`,
  'mailbox.change': (fact) => `changed ${named('mailbox', fact('mailbox'))}`,
  'inbound_rule.create': (fact) =>
    `added ${named('number', fact('to_number'))} to ${named('mailbox', fact('mailbox'))}`,
  'inbound_rule.change': (fact) => `moved ${named('number', fact('to_number'))}${toTarget(fact('mailbox'))}`,
  'inbound_rule.remove': (fact) =>
    `removed ${named('number', fact('to_number'))} from ${named('mailbox', fact('mailbox'))}`,
  'pairing.create': () => 'showed a code to pair a device',
  'pairing.use': (fact) => `paired ${named('device', fact('device_name'))}`,
  'settings.change': (fact) => `changed ${settings(fact('changes'))}`,
  'settings.import': (fact) => `imported ${settings(fact('changes'))} from the environment`,
  'owner.enroll': (fact) => `set up the first owner, ${personName(fact('login'))}`,
  'owner.recover': (fact) => `made ${personName(fact('login'))} an owner`,
  'installation_key.use': () => 'was used',
  'installation.move': () => 'moved the installation to another database',
  'installation.restore': () => 'restored the installation from a backup',
  'installation.upgrade': () => 'upgraded from an earlier release',
  'document.opened': (fact) => `opened ${documentOf(fact('document'))}`,
  'document.printed': (fact) => `printed ${documentOf(fact('document'))}`,
  'document.downloaded': (fact) => `downloaded ${documentOf(fact('document'))}`,
  'inbound.decode': () => 'looked for the original of a received fax again',
  'inbound.fetch': () => 'fetched a received fax again',
  'inbound.move': (fact) => `moved a received fax${toTarget(fact('to'))}`,
  'sender.block': (fact) => `blocked ${named('sender', fact('number'))}`,
  'sender.unblock': (fact) => `unblocked ${named('sender', fact('number'))}`,
  'inbound.not_junk': (fact) => `took a fax from ${fact('number') || 'an unknown number'} out of Junk`,
  'legal_hold.place': (fact) => `placed ${named('legal hold', fact('name'))}`,
  'legal_hold.release': (fact) => `released ${named('legal hold', fact('name'))}`,
  'cover.create': () => 'created a cover page',
  'cover.change': () => 'changed a cover page',
  'cover.remove': () => 'removed a cover page',
  'print_password.create': () => 'created their own print password',
  'print_password.remove': () => 'removed their own print password',
  'printed.take': (fact) => `took ${printedDocument(fact('pages'), fact('source'))}`,
  'printed.remove': (fact) =>
    `${fact('fax') === '' ? 'discarded' : 'sent'} ${printedDocument(fact('pages'), fact('source'))}`,
  'signature.add': (fact) => `added ${ownPicture(fact)}`,
  'signature.remove': (fact) => `removed ${ownPicture(fact)}`,
  'signature.place': (fact) => `put ${ownPicture(fact)} on a sent fax`,
  'contact.create': () => 'created a contact',
  'contact.change': () => 'changed a contact',
  'contact.merge': () => 'merged two contacts',
  'contact.remove': () => 'removed a contact',
  'contact.forget_line': () => 'reset the call settings of a contact',
  'contact.import': () => 'imported contacts',
  'contact.export': () => 'exported all contacts',
  'opt_out.add': (fact) => `added ${named('number', fact('number'))} to the opt-out list`,
  'opt_out.import': () => 'imported numbers into the opt-out list',
  'opt_out.remove': (fact) => `took ${named('number', fact('number'))} off the opt-out list`,
  'delivery_route.create': (fact) => `created ${named('route', fact('name'))}`,
  'delivery_route.change': (fact) => `changed ${named('route', fact('name'))}`,
  'delivery_route.remove': (fact) => `removed ${named('route', fact('name'))}`,
  'rate_card.create': () => 'created a rate card',
  'rate_card.change': () => 'entered new prices of a rate card',
  'rate_card.remove': () => 'removed a rate card',
  'spending_limit.change': () => 'changed the spending limit of a person',
  'connector.create': (fact) => `created ${named('e-mail connector', fact('name'))}`,
  'connector.change': (fact) => `changed ${named('e-mail connector', fact('name'))}`,
  'connector.remove': (fact) => `removed ${named('e-mail connector', fact('name'))}`,
  'connector.test': (fact) => `tested ${named('e-mail connector', fact('name'))}`,
  'print_rule.create': (fact) => `created ${named('print rule', fact('name'))}`,
  'print_rule.change': (fact) => `changed ${named('print rule', fact('name'))}`,
  'print_rule.remove': (fact) => `removed ${named('print rule', fact('name'))}`,
  'printer.check': (fact) => `checked the printer at ${address(fact('address'))}`,
  'printout.retry': () => 'had a received fax printed now',
  'printout.confirm': (fact) =>
    PRINT_DECISIONS[fact('outcome')] ?? 'decided about a printout of a received fax',
  'summary.send': (fact) => `sent ${summaryOf(fact('day'))}`,
  'mail_sender.add': (fact) =>
    `let ${address(fact('address'))} send faxes by e-mail for ${personName(fact('person'))}`,
  'mail_sender.remove': (fact) => `stopped ${address(fact('address'))} from sending faxes by e-mail`,
  'delivery.retry': () => 'sent an e-mail with a received fax again',
  'delivery.confirm': (fact) =>
    fact('outcome') === 'arrived'
      ? 'confirmed that an e-mail with a received fax arrived'
      : 'found that an e-mail with a received fax did not arrive',
  'work_settings.change': (fact) =>
    `changed the acknowledgement target and backup person of ${named('mailbox', fact('mailbox'))}`,
  'inbound_rule.apply': () => 'applied the number rules to older faxes',
  'inbound.test': () => 'created a test fax',
  'inbound.recover': () => 'recovered received faxes that were left behind',
  'telephony.configure': () => 'wrote the configuration of the telephone engine',
  'callback_address.show': () => 'looked up a callback address with its password',
  'backup.make': () => 'made a backup',
  'backup.restore': () => 'restored a backup',
  'archive.export': (fact) => `exported ${archiveOf(fact('year'), fact('month'))}`,
  'archive.check': (fact) => `checked ${archiveOf(fact('year'), fact('month'))} for removing its faxes`,
  'archive.remove': (fact) => `started to remove the faxes of ${archiveOf(fact('year'), fact('month'))}`,
  'archive.stop': (fact) => `stopped removing the faxes of ${archiveOf(fact('year'), fact('month'))}`,
  'archive.removed': (fact) => `removed the faxes of ${archiveOf(fact('year'), fact('month'))}`,
  'backup.download': () => 'downloaded a backup',
  'backup.remove': () => 'removed a backup',
  'storage.move': () => 'moved stored documents to where new ones are kept',
  'storage.adopt': () => 'took over the documents in the bucket',
  'data_key.replace': () => 'began to replace the data key',
  'data_key.replaced': () => 'replaced the data key and removed the former one',
  'terminal.open': () => 'opened the console terminal',
  'terminal.close': (fact) => `closed the console terminal${terminalReason(fact('reason'))}`,
};

/** Words for actors that are not people, by their recorded name. */
const NON_PERSON_NAMES: Readonly<Record<string, string>> = {
  'Installation key': 'The installation key',
  'Command line': 'Someone at the command line',
  Unknown: 'Someone unknown',
  Nobody: 'Someone who was not signed in',
};

interface RecordedOperation {
  readonly operation: string;
  readonly outcome: 'done' | 'refused';
  readonly actor: { readonly id: string | null; readonly name: string };
  readonly details: Readonly<Record<string, unknown>>;
  /** Fax that it was done to; null for none, and for a fax that the reader may not see. */
  readonly fax?: {
    readonly direction: 'sent' | 'received';
    readonly number: string;
    readonly name: string | null;
  } | null;
}

/** Names the fax of a record: `from Alder Pharmacy`, `to +1 503 555 0119`. */
export function auditedFaxName(
  { direction, name, number }: NonNullable<RecordedOperation['fax']>,
  formatNumber: (number: string) => string,
): string {
  return `${direction === 'sent' ? 'to' : 'from'} ${name ?? formatNumber(number)}`;
}

/**
 * Returns a record of the security audit as a sentence without its full stop: who did what, or what was refused to whom,
 * with the name of the fax. An operation of another release appears as it was written.
 */
export function auditSentence(
  record: RecordedOperation,
  formatNumber: (number: string) => string = (number) => number,
): string {
  const said = sentenceWithoutFax(record);
  if (!record.fax) return said;
  const name = auditedFaxName(record.fax, formatNumber);
  const named = said.replace(
    A_FAX,
    (_, what: string) => `the ${what} ${what === REPORT ? 'of the fax ' : ''}${name}`,
  );
  return named === said ? `${said} (fax ${name})` : named;
}

const REPORT = 'transmission report';
const A_FAX = /\ba (received fax|sent fax|test fax|transmission report)\b/u;

function sentenceWithoutFax({ operation, outcome, actor, details }: RecordedOperation): string {
  const who = NON_PERSON_NAMES[actor.name] ?? actor.name;
  const words = operationWords(operation);
  if (!isAuditOperation(operation))
    return `${who} did something that this release does not recognize (${words})`;
  if (outcome === 'refused')
    return `${who} tried to ${words.charAt(0).toLowerCase()}${words.slice(1)} and was refused`;
  return `${who} ${PREDICATES[operation]((name) => factOf(details[name]))}`;
}

/** Returns a recorded value as text: of a change the new value, of a list its length, empty for anything else. */
function factOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return String(value.length);
  if (typeof value === 'object' && value !== null && 'to' in value) return factOf(value.to);
  return '';
}
