import type { GuardCheck } from '../../../shared/guard.ts';

/** Answers to the questions of the wrong-number guard that are answered with yes. */
const agrees: Record<GuardCheck, string> = {
  blocked: 'Send it anyway',
  opted_out: 'They agreed to this fax',
  voice_number: 'This number receives faxes',
  own_number: 'Send it to our own number',
  swapped_digits: 'The number is right',
  near_contact: 'The number is right',
  failing: 'I checked the number',
  same_document: 'They need a second copy',
  first_time: 'The number is right',
};

/** Reasons beside the button while a finding refuses the fax. */
const refuses: Record<GuardCheck, string> = {
  blocked: 'This number is blocked',
  opted_out: 'This recipient opted out of faxes',
  voice_number: 'This is a telephone number',
  own_number: 'This is one of our own numbers',
  swapped_digits: 'This number may be mistyped',
  near_contact: 'This number may be mistyped',
  failing: 'Faxes to this number failed',
  same_document: 'This document was sent a moment ago',
  first_time: 'This number is not in the contacts',
};

/** Findings of the wrong-number guard, below a fax number. */
export const guard = {
  agrees,
  refuses,
  waitsForDigits: 'Check the number',
  waitsForAnswer: 'Answer the question below the number',
  lastFour: 'Last four digits',
  wrongDigits: 'These do not match the last four digits. Check the number.',
  typedAgain: (digits: string) => `You retyped the last four digits: ${digits}.`,
  youTyped: 'You typed',
  known: 'Known number',
  useKnown: 'Use the known number',
};
