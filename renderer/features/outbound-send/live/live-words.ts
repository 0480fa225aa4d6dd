import { progressWords } from '../../../parts/call-progress.ts';
import { type Fax, sendTogetherState } from '../../../parts/fax-state.ts';
import { notSentReason } from '../../../parts/not-sent-reason.ts';
import { isByLine } from '../../../parts/provider-name.ts';
import { t } from '../../../texts/index.ts';
import { formatCount, formatDayAndTime, formatTime } from '../../../ui/format.ts';
import { type HistoryEvent, isLater } from './fax-steps.ts';

interface LiveWords {
  readonly title: string;
  readonly sentence: string;
}

/** Describes the state of the fax, and claims nothing more. */
export function liveWords(fax: Fax, history: readonly HistoryEvent[], provider: string): LiveWords {
  const words = t.send.live;
  switch (fax.delivery_state) {
    case 'held':
      return { title: words.heldTitle, sentence: notSentReason(fax, history) ?? words.heldSentence };
    case 'ready':
      return waitingWords(fax, notSentReason(fax, history));
    case 'preparing':
      return { title: words.preparingTitle, sentence: words.readySentence };
    case 'submitting':
      return { title: submittingTitle(fax, provider), sentence: words.readySentence };
    case 'in_progress':
      if (fax.direct) return { title: words.waitingForReceipt, sentence: words.askingPartner };
      return isByLine(fax)
        ? { title: progressWords(fax) ?? t.send.steps.call.begun, sentence: words.sendingSentence }
        : { title: words.sendingTitle(provider), sentence: words.sendingSentence };
    case 'success':
      return { title: words.successTitle, sentence: successSentence(fax) };
    case 'failed':
      return { title: words.failedTitle, sentence: fax.error ?? words.failedUnknown };
    case 'cancelled':
      return { title: words.cancelledTitle, sentence: words.cancelledSentence };
    case 'reconciliation_required':
      return { title: t.fax.confirmation.label, sentence: '' };
  }
}

function submittingTitle(fax: Fax, provider: string): string {
  if (isByLine(fax)) return t.send.steps.call.begun;
  if (fax.direct) return t.send.live.submittingDirectly;
  return fax.internal ? t.send.live.submittingInternally : t.send.live.submittingTitle(provider);
}

function waitingWords(fax: Fax, sentence: string | null): LiveWords {
  const words = t.send.live;
  if (sentence !== null) return { title: words.waitingTitle, sentence };
  if (fax.hours !== null) return { title: words.waitingTitle, sentence: fax.hours.reason };
  const leaves = sendTogetherState(fax);
  if (leaves !== null) return { title: leaves.word, sentence: words.togetherSentence };
  if (isLater(fax))
    return { title: words.laterTitle(formatDayAndTime(fax.send_at ?? '')), sentence: words.laterSentence };
  return { title: words.readyTitle, sentence: words.readySentence };
}

const directSentence = ({ attempt, updated_at }: Fax): string =>
  `${t.fax.arrivedDirectly(formatTime(attempt?.completed_at ?? updated_at))}.`;

/** A person's word is not the machine's. */
function successSentence(fax: Fax): string {
  if (fax.decision) return t.send.live.successByPerson(fax.decision.by, fax.decision.note);
  if (fax.test) return t.fax.testSentence;
  if (fax.delivered_by === 'direct') return directSentence(fax);
  const encoded = fax.attempt?.encoded_pages ?? null;
  if (encoded !== null) return t.send.live.successEncoded(formatCount(encoded), encoded === 1);
  const pages = fax.attempt?.pages_sent ?? fax.document.pages;
  const sentence = fax.delivered_by === 'internal' ? 'successInternally' : 'successSentence';
  return t.send.live[sentence](formatCount(pages), pages === 1);
}
