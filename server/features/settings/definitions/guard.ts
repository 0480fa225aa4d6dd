import { GUARD_ACTIONS, type GuardAction } from '../../../../shared/guard.ts';
import { choiceSetting } from '../../../platform/setting-kinds.ts';

const check = (words: { label: string; help: string; default: GuardAction; opens?: ['contacts:manage'] }) =>
  choiceSetting<GuardAction>({ ...words, group: 'Wrong numbers', choices: GUARD_ACTIONS });

/** Effects of what the wrong-number guard finds before a fax is sent. */
export const guardSettings = {
  GUARD_FIRST_TIME: check({
    label: 'First fax to a number',
    help: 'For a number that never received a fax. ask: the last four digits are typed again. refuse: only contacts and numbers that were faxed before.',
    default: 'ask',
  }),
  GUARD_NEAR_CONTACT: check({
    label: 'One digit from a known number',
    help: 'For a number that differs by one digit from a contact or from a number that received faxes. ask: the last four digits are typed again.',
    default: 'warn',
  }),
  GUARD_SWAPPED_DIGITS: check({
    label: 'Two digits swapped',
    help: 'For a number that is a contact’s, or one that received faxes, with two neighboring digits swapped. ask: the last four digits are typed again.',
    default: 'warn',
  }),
  GUARD_FAILING: check({
    label: 'Number that keeps failing',
    help: 'For a number to which the last three faxes of the past 30 days failed.',
    default: 'warn',
  }),
  GUARD_VOICE_NUMBER: check({
    label: 'Telephone number of a contact',
    help: 'For a number that is in the contacts as a telephone, where no fax machine answers.',
    default: 'ask',
  }),
  GUARD_BLOCKED: check({
    // Faxes to numbers that somebody blocked in the contacts would go out.
    opens: ['contacts:manage'],
    label: 'Blocked number',
    help: 'For a number that is blocked in the contacts. refuse and an unanswered ask also refuse faxes of programs, folders and e-mails.',
    default: 'refuse',
  }),
  GUARD_OPTED_OUT: check({
    label: 'Recipient who opted out',
    help: 'For a number on the opt-out list, and for one whose contact opted out of faxes.',
    default: 'ask',
  }),
  GUARD_OWN_NUMBER: check({
    label: 'Own number',
    help: 'For a fax to one of your own numbers.',
    default: 'warn',
  }),
  GUARD_SAME_DOCUMENT: check({
    label: 'Same document again',
    help: 'For the same document to the same number within ten minutes, also when someone else sent the first one.',
    default: 'ask',
  }),
};
