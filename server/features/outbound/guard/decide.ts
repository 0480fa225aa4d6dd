import {
  GUARD_CHECKS,
  GUARD_FAILURES,
  GUARD_SAME_DOCUMENT_MINUTES,
  type GuardAction,
  type GuardAnswer,
  type GuardCheck,
} from '../../../../shared/guard.ts';
import { formatNumber } from '../../../platform/phone-number.ts';
import { isSwapped } from './slips.ts';

/** A number that the installation knows, as a contact's or from a delivered fax, and that differs from the typed one by a slip. */
export interface KnownNumber {
  /** E.164. */
  readonly to: string;
  /** Name of its contact; null for none. */
  readonly name: string | null;
}

/** Facts about a number and a document, as far as the caller may see them. */
export interface GuardFacts {
  /** Typed number, E.164. */
  readonly to: string;
  /** True for a number of the installation itself. */
  readonly isOwn: boolean;
  readonly isBlocked: boolean;
  readonly hasOptedOut: boolean;
  /** Telephone that has the number; null for none. */
  readonly voice: { readonly name: string } | null;
  /** True when a contact has the fax number. */
  readonly isContact: boolean;
  /** True when a fax was accepted for it before. */
  readonly isUsed: boolean;
  /** True when a fax was delivered to it. */
  readonly isReached: boolean;
  /** Faxes that failed since the last one that was delivered, counted up to the limit of the check. */
  readonly failures: number;
  /** Known numbers that differ by one slip, the likeliest first. */
  readonly neighbors: readonly KnownNumber[];
  /** True when the same document went to the number a moment ago. */
  readonly isSameDocument: boolean;
}

/** Something about a number that a person should notice before a fax goes to it. */
export interface GuardFinding {
  readonly check: GuardCheck;
  readonly action: Exclude<GuardAction, 'off'>;
  /** Sentence for a person about what was found. */
  readonly fact: string;
  /** Sentence for a person about what to do. */
  readonly advice: string;
  /** Way in which a person answers the question; null where none is asked. */
  readonly answer: GuardAnswer | null;
  /** The known number that was probably meant; null where none was. */
  readonly near: KnownNumber | null;
}

export type GuardActions = Readonly<Record<GuardCheck, GuardAction>>;

const ACTIONS_BY_WEIGHT: readonly GuardAction[] = ['refuse', 'ask', 'warn'];

/** Decides what is wrong with a number, the gravest finding first. Checks that are off find nothing. */
export function decideGuard(facts: GuardFacts, actions: GuardActions): GuardFinding[] {
  const findings = GUARD_CHECKS.flatMap((check): GuardFinding[] => {
    const action = actions[check];
    if (action === 'off') return [];
    const found = FINDERS[check](facts);
    if (found === null) return [];
    const answer = action === 'ask' ? answerOf(check) : null;
    const advice = action === 'refuse' ? found.refusal : answer === 'digits' ? DIGITS_ADVICE : found.advice;
    return [{ check, action, fact: found.fact, advice, answer, near: found.near ?? null }];
  });
  return findings.toSorted(
    (a, b) => ACTIONS_BY_WEIGHT.indexOf(a.action) - ACTIONS_BY_WEIGHT.indexOf(b.action),
  );
}

/** Returns the finding for a person: what was found, and what to do. */
export const sentenceOf = ({ fact, advice }: Pick<GuardFinding, 'fact' | 'advice'>): string =>
  `${fact} ${advice}`;

const DIGITS_ADVICE = 'Retype the last four digits of the number.';

function answerOf(check: GuardCheck): GuardAnswer {
  return check === 'first_time' || check === 'near_contact' || check === 'swapped_digits' ? 'digits' : 'yes';
}

interface Found {
  readonly fact: string;
  /** Advice where the fax can be sent. */
  readonly advice: string;
  /** Advice where it is refused. */
  readonly refusal: string;
  readonly near?: KnownNumber;
}

const FINDERS: Record<GuardCheck, (facts: GuardFacts) => Found | null> = {
  blocked: ({ isBlocked }) =>
    isBlocked
      ? {
          fact: 'Faxes to this number are blocked in the contacts.',
          advice: 'Send it only if the block does not apply to this fax.',
          refusal: 'Choose another number, or unblock the contact.',
        }
      : null,
  opted_out: ({ hasOptedOut }) =>
    hasOptedOut
      ? {
          fact: 'This recipient opted out of faxes.',
          advice: 'Send it only if they agreed to this fax.',
          refusal: 'Reach them in another way.',
        }
      : null,
  voice_number: ({ voice, isContact }) =>
    voice !== null && !isContact
      ? {
          fact: `This is the telephone number of ${voice.name}, not a fax number.`,
          advice: 'Check which number receives faxes.',
          refusal: 'Enter their fax number.',
        }
      : null,
  own_number: ({ isOwn }) =>
    isOwn
      ? {
          fact: 'This is one of your own fax numbers.',
          advice: 'The fax goes to your own inbox.',
          refusal: 'Enter the number of the recipient.',
        }
      : null,
  swapped_digits: (facts) => nearFinding(facts, true),
  near_contact: (facts) => nearFinding(facts, false),
  failing: ({ failures }) =>
    failures >= GUARD_FAILURES
      ? {
          fact: `The last ${GUARD_FAILURES} faxes to this number failed.`,
          advice: 'Check the number with the recipient.',
          refusal: 'Check the number with the recipient, or send it in another way.',
        }
      : null,
  same_document: ({ isSameDocument }) =>
    isSameDocument
      ? {
          fact: `A fax with the same document to this number is less than ${GUARD_SAME_DOCUMENT_MINUTES} minutes old.`,
          advice: 'Send it again only if they need a second copy.',
          refusal: `See in the list of sent faxes how it went, or wait ${GUARD_SAME_DOCUMENT_MINUTES} minutes.`,
        }
      : null,
  first_time: ({ isUsed, isContact, isOwn }) =>
    isUsed || isContact || isOwn
      ? null
      : {
          fact: 'No fax was sent to this number before.',
          advice: 'Compare the number digit by digit.',
          refusal: 'Add it to the contacts first.',
        },
};

/** A number that is known itself is not taken for a slip. */
function nearFinding(facts: GuardFacts, swapped: boolean): Found | null {
  const { to, isContact, isReached, isOwn, neighbors } = facts;
  if (isContact || isReached || isOwn) return null;
  const near = neighbors.find((known) => isSwapped(known.to, to) === swapped);
  if (!near) return null;
  const known = near.name === null ? formatNumber(near.to) : `${formatNumber(near.to)}, ${near.name}`;
  return {
    fact: swapped
      ? `Two digits are swapped compared with a known number: ${known}.`
      : `One digit is different from a known number: ${known}.`,
    advice: 'Compare the number digit by digit.',
    refusal: 'Use the known number, or add this one to the contacts first.',
    near,
  };
}
