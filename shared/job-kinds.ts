/** Every kind of background work, with its words for people. */
export const JOB_KINDS = {
  'fax.dispatch': 'Faxes to send out',
  'fax.wait': 'Faxes scheduled for later',
  'fax.deadline': 'Faxes with a latest time to send',
  'fax.try_again': 'Busy and unanswered numbers to try again',
  'fax.ask_again': 'Sent faxes to ask the recipient about later',
  'fax.poll': 'Sent faxes to ask the provider about',
  'fax.cost': 'Sent faxes to ask the provider for their cost',
  'fax.callbacks': 'Check for outcomes that no callback reported',
  'broadcast.send': 'Broadcasts with recipients to send to',
  'fax.cleanup': 'Cleanup of old sent documents',
  'inbound.fetch': 'Received documents to fetch',
  'inbound.decode': 'Received faxes to look at for an original',
  'inbound.new_key': 'New shared keys to try on received faxes',
  'inbound.poll': 'Check for received faxes at the provider',
  'inbound.recover': 'Check for images that the telephone engine left',
  'imports.folder': 'Check for documents in the import folder',
  'folders.send': 'Check for files in the send folder',
  'inbound.cleanup': 'Cleanup of old received documents',
  'intake.deliver': 'Received faxes to send by e-mail',
  'print-rules.print': 'Received faxes to print',
  'summary.send': 'Check for a daily summary to send by e-mail',
  'mail-to-fax.look': 'Check for messages to send as faxes',
  'mail-to-fax.reply': 'Check for replies to senders of e-mails',
  'mail-to-fax.cleanup': 'Cleanup of old messages that were not sent as faxes',
  'telephony.cleanup': 'Cleanup of old calls in the call log',
  'webhooks.announce': 'Events to be sent to webhooks',
  'webhooks.deliver': 'Webhooks with messages to send',
  'webhooks.cleanup': 'Cleanup of old webhook deliveries',
  'direct.fences': 'Cleanup of withdrawn direct documents',
  'direct.tell': 'Statements to partners of direct delivery',
  'direct.upkeep': 'Daily check of the partners of direct delivery',
  'desk.cleanup': 'Cleanup of old saved drafts',
  'printing.cleanup': 'Cleanup of old printed documents',
  'archives.remove': 'Archived faxes to remove',
  'data-key.replace': 'Replacement of the data key',
  'work.overdue': 'Check for work items past their acknowledgement target',
} as const;
export type JobKind = keyof typeof JOB_KINDS;

/** Checks and cleanups: one of each always waits for its next time. */
const REGULAR_KINDS: ReadonlySet<string> = new Set<JobKind>([
  'fax.callbacks',
  'fax.cleanup',
  'inbound.poll',
  'inbound.recover',
  'imports.folder',
  'folders.send',
  'inbound.cleanup',
  'summary.send',
  'mail-to-fax.look',
  'mail-to-fax.reply',
  'mail-to-fax.cleanup',
  'telephony.cleanup',
  'webhooks.cleanup',
  'direct.fences',
  'direct.upkeep',
  'desk.cleanup',
  'printing.cleanup',
  'work.overdue',
]);

/** Returns true for a kind of work that is done at its times, whatever there is to do. */
export const isRegularWork = (kind: string): boolean => REGULAR_KINDS.has(kind);

const isJobKind = (kind: string): kind is JobKind => Object.hasOwn(JOB_KINDS, kind);

/** Describes a kind of work in words; the kind of another release by its name. */
export const jobKindWords = (kind: string): string =>
  isJobKind(kind) ? JOB_KINDS[kind] : `Work of another release (${kind})`;
