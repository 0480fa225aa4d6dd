import { LIMITS } from '../../../shared/limits.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { type Draft, titleOf } from './draft/draft.ts';
import type { Mailboxes } from './mailboxes.ts';
import type { Recipient } from './number/recipient.ts';
import type { PreviewState } from './preview/preview-store.ts';

const AHEAD_MS = LIMITS.sendAheadDays * 24 * 3_600_000;

/** What is wrong with the chosen time; null when nothing is, or none is chosen. */
export function timeProblem(sendAt: string, now: number): string | null {
  if (sendAt === '') return null;
  const time = Date.parse(sendAt);
  if (Number.isNaN(time)) return t.send.timeIncomplete;
  if (time <= now) return t.send.timePast;
  return time > now + AHEAD_MS ? t.send.timeTooFar(LIMITS.sendAheadDays) : null;
}

/** Why the draft cannot be sent yet, in words; null when it can. */
export function whyNotYet(parts: {
  draft: Draft;
  recipient: Recipient;
  preview: PreviewState;
  hasProvider: boolean;
  mailboxes: Mailboxes;
}): string | null {
  const { draft, recipient, preview, hasProvider, mailboxes } = parts;
  const refused = draft.files.find(({ id }) => preview.refused.has(id));
  if (!hasProvider) return t.send.waitsForProvider;
  return (
    whyNotThere(recipient) ??
    (mailboxes.choices.length > 0 && mailboxes.chosen === null ? t.send.chooseMailbox : null) ??
    (draft.files.length === 0 ? t.send.waitsForDocument : null) ??
    (refused ? t.send.waitsForRefused(titleOf(refused)) : null) ??
    (timeProblem(draft.options.sendAt, Date.now()) === null ? null : t.send.waitsForTime)
  );
}

function whyNotThere({ read, to, check, failure, needsDigits }: Recipient): string | null {
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
      return needsDigits ? t.send.waitsForDigits : null;
  }
}

/** What will happen with the button, said beside it while the preview is under way. */
export function whatHappens({
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
