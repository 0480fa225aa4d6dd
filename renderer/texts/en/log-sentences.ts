import type { FaxHistoryKind } from '../../../shared/history-kinds.ts';
import { jobKindWords } from '../../../shared/job-kinds.ts';

type Fact = (name: string) => string;

/** Outcome of a sent fax, after `The fax to …`. */
const FAX: Readonly<Record<FaxHistoryKind, string>> = {
  accepted: 'was accepted',
  held: 'was held',
  released: 'was released',
  rescheduled: 'was moved to another time',
  waiting: 'is waiting',
  submitting: 'is being sent',
  next_step: 'is being tried another way',
  in_progress: 'was accepted by the provider',
  success: 'was delivered',
  failed: 'was not delivered',
  cancelled: 'was canceled',
  reconciliation_required: 'needs confirmation',
  reconciled: 'was confirmed by a person',
  not_reached: 'could not be confirmed yet because the recipient was not reached',
  late_report: 'was reported again',
  about: 'got another description',
};

const isFaxKind = (kind: string): kind is FaxHistoryKind => Object.hasOwn(FAX, kind);
const to = (number: string) => (number === '' ? '' : ` to ${number}`);

/** Messages that include the facts recorded beside them. */
const SAID: Readonly<Record<string, (fact: Fact) => string>> = {
  'fax changed': (fact) =>
    `The fax${to(fact('to'))} ${isFaxKind(fact('kind')) ? FAX[fact('kind') as FaxHistoryKind] : 'changed'}.`,
  'a backup was made': (fact) => `Faxdesk made the backup ${fact('name')}.`,
  'a backup could not be made': (fact) => `Faxdesk could not make the backup ${fact('name')}.`,
  'no daily backup is made': (fact) => `No daily backup is made, and none is removed. ${fact('reason')}`,
  'a job failed': (fact) => `Background work failed: ${jobKindWords(fact('kind'))}.`,
  'document fetched by its link': () => 'The provider fetched the document of a fax by its link.',
};

/** Returns an entry of the log as a sentence. Its details keep the values for programs. */
export function logSentence({ message, facts }: { message: string; facts: Record<string, unknown> }): string {
  const fact: Fact = (name) => (typeof facts[name] === 'string' ? facts[name] : '');
  const said = SAID[message];
  if (said) return said(fact);
  const text = `${message.charAt(0).toLocaleUpperCase('en')}${message.slice(1)}`;
  return text === '' || /[.!?]$/u.test(text) ? text : `${text}.`;
}
