/** A fault put into the source: the gateway that it makes must differ from the rule. */
export interface Fault {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly instead: string;
}

const ROOM = 'server/features/access';

export const FAULTS: readonly Fault[] = [
  {
    name: 'a key reaches all that its owner sent',
    file: `${ROOM}/authority/may.ts`,
    text: 'return reach === null || ',
    instead: 'return true || ',
  },
  {
    name: 'lists know no reach of a key',
    file: `${ROOM}/authority/may.ts`,
    text: 'ownMailboxIds: reach?.',
    instead: 'ownMailboxIds: (null as typeof reach)?.',
  },
  {
    name: 'changes take nothing of what is touched',
    file: `${ROOM}/authority/may-change.ts`,
    text: 'throw new NotAllowedError(REFUSED[subject.kind]);',
    instead: 'return;',
  },
  {
    name: 'filing takes one permission to see faxes instead of all',
    file: `${ROOM}/authority/may-change.ts`,
    text: 'if (!SEE_PERMISSIONS.every(',
    instead: 'if (!SEE_PERMISSIONS.some(',
  },
  {
    name: 'a role can be taken away by anybody who manages assignments',
    file: `${ROOM}/roles/assignments.ts`,
    text: 'if (!isThemselves(actor, { principalId, keyId: null }))',
    instead: 'if (actor.id === null)',
  },
  {
    name: 'disabled roles still give',
    file: `${ROOM}/store/grants.ts`,
    text: ".where('r.enabled', '=', 1)",
    instead: '',
  },
  {
    name: 'a person is touched only by what they hold now',
    file: `${ROOM}/authority/may-change.ts`,
    text: 'possibleGrants(db, subject.id)',
    instead: 'grantsGivenTo(db, subject.id)',
  },
  {
    name: 'a hidden fax is refused instead of missing',
    file: 'server/features/outbound/visibility.ts',
    text: 'throw maySeeSent(caller, job) ? notAllowed() : noSuchFax();',
    instead: 'throw notAllowed();',
  },
  {
    name: 'who may import for a mailbox imports for every one',
    file: 'server/features/imports/service.ts',
    text: "caller.holds('work:import', mailboxResource(mailboxId))",
    instead: "caller.holdsAnywhere('work:import')",
  },
  {
    name: 'owning a work item opens it',
    file: 'server/features/work/visibility.ts',
    text: 'return may(caller, permission, { resources: resourcesOf(item), ownerId: null });',
    instead:
      'return may(caller, permission, { resources: resourcesOf(item), ownerId: caller.principal.id });',
  },
];
