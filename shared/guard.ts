/** Checks of the wrong-number guard, in the order in which their findings are shown. */
export const GUARD_CHECKS = [
  'blocked',
  'opted_out',
  'voice_number',
  'own_number',
  'swapped_digits',
  'near_contact',
  'failing',
  'same_document',
  'first_time',
] as const;
export type GuardCheck = (typeof GUARD_CHECKS)[number];

/** Effects of a finding: none, a warning, a question to the person who sends, or a refusal. */
export const GUARD_ACTIONS = ['off', 'warn', 'ask', 'refuse'] as const;
export type GuardAction = (typeof GUARD_ACTIONS)[number];

/** Choices of a request: to refuse what the guard finds, or to ignore it. */
export const GUARD_MODES = ['refuse', 'ignore'] as const;
export type GuardMode = (typeof GUARD_MODES)[number];

/** Ways in which a person answers the question of a finding: by the last four digits of the number, or by a yes. */
export const GUARD_ANSWERS = ['digits', 'yes'] as const;
export type GuardAnswer = (typeof GUARD_ANSWERS)[number];

/** Number of failed faxes in a row that make a number doubtful. */
export const GUARD_FAILURES = 3;

/** Minutes in which the same document to the same number is taken for a mistake. */
export const GUARD_SAME_DOCUMENT_MINUTES = 10;

/** Returns the last digits of an E.164 number that a person types again. */
export const lastFourDigits = (to: string): string => to.slice(-4);
