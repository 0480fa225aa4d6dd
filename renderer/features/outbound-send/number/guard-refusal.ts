import { type GuardFinding, hasAgreed, openFinding } from '../../../parts/guard/guard.ts';
import { type Draft, documentOf } from '../draft/draft.ts';
import type { ShownFax } from '../sending/send-fax.ts';
import type { SendingProblem } from '../sending/sending-problem.ts';
import type { Recipient } from './recipient.ts';

/**
 * Adds the finding for which the gateway refused the fax, unless the check of the number has it already. Without a
 * preview only the gateway can compare the documents, once they are uploaded.
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
  const refusalFinding: GuardFinding = {
    check: 'same_document',
    action: isAnswered ? 'refuse' : 'ask',
    sentence: problem.sentence,
    answer: isAnswered ? null : 'yes',
    near: null,
  };
  const allFindings = [refusalFinding, ...findings];
  return { ...recipient, findings: allFindings, open: openFinding(allFindings, draft, fax) };
}
