import { type GuardFinding, hasAgreed, openFinding } from '../../../parts/guard/guard.ts';
import { type Draft, documentOf } from '../draft/draft.ts';
import type { ShownFax } from '../sending/send-fax.ts';
import type { SendingProblem } from '../sending/sending-problem.ts';
import type { Recipient } from './recipient.ts';

/**
 * Adds the question for which the gateway refused the fax where the check of the number does not ask it: without a
 * preview only the gateway can compare the documents, when they arrive.
 */
export function withRefusal(
  recipient: Recipient,
  draft: Draft,
  { problem, tried }: { problem: SendingProblem | null; tried: ShownFax | null },
): Recipient {
  const { to, findings, isChecking, open } = recipient;
  if (problem?.part !== 'guard' || tried === null || to === null || isChecking || open) return recipient;
  const fax = { to, document: documentOf(draft) };
  const isSame = tried.to === to && documentOf(tried.draft) === fax.document;
  if (!isSame || findings.some(({ check }) => check === 'same_document')) return recipient;
  const isAnswered = hasAgreed(tried.draft, 'same_document', fax);
  const asked: GuardFinding = {
    check: 'same_document',
    action: isAnswered ? 'refuse' : 'ask',
    sentence: problem.sentence,
    answer: isAnswered ? null : 'yes',
    near: null,
  };
  const all = [asked, ...findings];
  return { ...recipient, findings: all, open: openFinding(all, draft, fax) };
}
