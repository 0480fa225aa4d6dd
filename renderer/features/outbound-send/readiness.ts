import { sentenceOf } from '../../api/sentence.ts';
import { titleOf } from '../../parts/draft-files.ts';
import { partOfFinding, reasonOfFinding } from '../../parts/guard/guard.ts';
import type { PreviewState } from '../../parts/previews/preview-store.ts';
import { latestProblem, timeProblem } from '../../parts/schedule/time-problem.ts';
import { t } from '../../texts/index.ts';
import type { CoverOfDraft } from './cover/use-cover.ts';
import { type Draft } from './draft/draft.ts';
import type { Mailboxes } from './mailboxes.ts';
import type { Recipient } from './number/recipient.ts';

/** Returns a sentence on why the draft cannot be sent yet; null when it can. */
export function unreadyReason(parts: {
  draft: Draft;
  recipient: Recipient;
  preview: PreviewState;
  hasProvider: boolean;
  mailboxes: Mailboxes;
  cover: Pick<CoverOfDraft, 'problem'>;
}): string | null {
  const { draft, recipient, preview, hasProvider, mailboxes, cover } = parts;
  const refused = draft.files.find(({ id }) => preview.refused.has(id));
  // A fax to one of our own numbers needs none.
  const needsProvider = recipient.check?.internal !== true || draft.options.byCall;
  if (!hasProvider && needsProvider) return t.send.waitsForProvider;
  return (
    recipientProblem(recipient) ??
    (mailboxes.choices.length > 0 && mailboxes.chosen === null ? t.send.chooseMailbox : null) ??
    (draft.files.length === 0 ? t.send.waitsForDocument : null) ??
    (refused ? t.send.waitsForRefused(titleOf(refused)) : null) ??
    (areTimesRight(draft.options) ? null : t.send.waitsForTime) ??
    cover.problem
  );
}

function areTimesRight({ sendAt, sendBy }: Draft['options']): boolean {
  return timeProblem(sendAt, Date.now()) === null && latestProblem({ sendAt, sendBy }, Date.now()) === null;
}

/** The part of the form that `unreadyReason` is about. */
export function partAtFault(parts: {
  draft: Draft;
  recipient: Recipient;
  mailboxes: Mailboxes;
}): 'to' | 'digits' | 'answer' | 'mailbox' | 'documents' | 'more' {
  const { draft, recipient, mailboxes } = parts;
  if (recipient.to !== null && recipient.open && !recipient.asksForCode) return partOfFinding(recipient.open);
  if (recipientProblem(recipient) !== null) return 'to';
  if (mailboxes.choices.length > 0 && mailboxes.chosen === null) return 'mailbox';
  return timeProblem(draft.options.sendAt, Date.now()) === null ? 'documents' : 'more';
}

function recipientProblem({ read, to, check, failure, open, asksForCode }: Recipient): string | null {
  switch (read.kind) {
    case 'empty':
      return t.send.waitsForNumber;
    case 'beginning':
      return t.send.waitsForWholeNumber;
    case 'wrong':
      return t.send.waitsForRightNumber;
    case 'number':
      if (failure !== null) return sentenceOf(failure);
      if (check === null) return t.send.checksNumber;
      if (to === null) return t.send.waitsForRightNumber;
      if (asksForCode && open?.action !== 'refuse') return t.send.waitsForCode;
      return open && reasonOfFinding(open);
  }
}

/** Returns a sentence on what the button will do, shown beside it while the preview is drawn. */
export function buttonNote({
  draft,
  preview,
  isSendingOff,
}: {
  draft: Draft;
  preview: PreviewState;
  isSendingOff: boolean;
}): string | null {
  if (isSendingOff) return t.send.willBeHeld;
  if (preview.phase === 'uploading') return t.send.goesWhenUploaded;
  if (draft.options.sendAt !== '') return null;
  return preview.phase === 'drawing' ? t.send.goesBeforeDrawn : null;
}
