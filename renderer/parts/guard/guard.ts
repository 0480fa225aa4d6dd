import type { z } from 'zod';
import type { NumberCheck } from '../../../shared/api/outbound-shapes.ts';
import { GUARD_CHECKS, type GuardCheck, lastFourDigits } from '../../../shared/guard.ts';
import { t } from '../../texts/index.ts';

export type GuardFinding = z.infer<typeof NumberCheck>['findings'][number];

/** Answers of a person to the questions about the numbers of one fax. */
export interface GuardAnswers {
  /** Number whose last four digits were typed again, E.164; null for none. */
  readonly confirmed: string | null;
  /** Questions that were answered with yes, each for its number or document; see `agreementOf`. */
  readonly agreed: readonly string[];
}

/** Fax that the answers are for: another number or document is asked about again. */
export interface GuardedFax {
  /** E.164. */
  readonly to: string;
  /** Text that is the same for the same documents. */
  readonly document: string;
}

export const NO_ANSWERS: GuardAnswers = { confirmed: null, agreed: [] };

const agreementOf = (check: GuardCheck, { to, document }: GuardedFax): string =>
  check === 'same_document' ? `${check} ${to} ${document}` : `${check} ${to}`;

/** Returns true when the question of the check was answered with yes for this fax. */
export const hasAgreed = ({ agreed }: GuardAnswers, check: GuardCheck, fax: GuardedFax): boolean =>
  agreed.includes(agreementOf(check, fax));

/** Returns the answers with a question that is answered with yes, or not any longer. */
export function withAgreement(
  { agreed }: GuardAnswers,
  check: GuardCheck,
  fax: GuardedFax & { readonly isYes: boolean },
): Pick<GuardAnswers, 'agreed'> {
  const agreement = agreementOf(check, fax);
  const others = agreed.filter((other) => other !== agreement);
  return { agreed: fax.isYes ? [...others, agreement] : others };
}

/** Returns the finding that keeps the fax from being sent: one that refuses, or asks and is not answered; null for none. */
export function openFinding(
  findings: readonly GuardFinding[],
  answers: GuardAnswers,
  fax: GuardedFax,
): GuardFinding | null {
  const isOpen = ({ action, answer, check }: GuardFinding) => {
    if (action !== 'ask') return action === 'refuse';
    return answer === 'digits' ? answers.confirmed !== fax.to : !hasAgreed(answers, check, fax);
  };
  return findings.find(isOpen) ?? null;
}

/** Returns the form fields that hold the answers. */
export function guardFields(answers: GuardAnswers, fax: GuardedFax) {
  const agreed = GUARD_CHECKS.filter((check) => hasAgreed(answers, check, fax));
  return {
    guard: 'refuse' as const,
    ...(answers.confirmed === fax.to ? { guard_digits: lastFourDigits(fax.to) } : {}),
    ...(agreed.length > 0 ? { guard_confirmed: agreed.join(',') } : {}),
  };
}

/** Part of the form that answers the finding, for `focusPart`. */
export const partOfFinding = ({ action, answer }: GuardFinding): 'to' | 'digits' | 'answer' =>
  action === 'refuse' ? 'to' : answer === 'digits' ? 'digits' : 'answer';

/** Returns the words beside the button while the finding keeps it off. */
export function reasonOfFinding({ action, answer, check }: GuardFinding): string {
  if (action === 'refuse') return t.guard.refuses[check];
  return answer === 'digits' ? t.guard.waitsForDigits : t.guard.waitsForAnswer;
}
