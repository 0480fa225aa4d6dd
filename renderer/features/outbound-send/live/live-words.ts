import type { Fax } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/index.ts';
import { formatCount, formatMoment } from '../../../ui/format.ts';
import { type HistoryEvent, isLater } from './fax-steps.ts';

export interface LiveWords {
  readonly title: string;
  readonly sentence: string;
}

/** Where the fax stands, in words that claim nothing more. */
export function liveWords(fax: Fax, history: readonly HistoryEvent[]): LiveWords {
  const words = t.send.live;
  switch (fax.delivery_state) {
    case 'held':
      return { title: words.heldTitle, sentence: words.heldSentence };
    case 'ready':
      return waitingWords(fax, history.at(-1));
    case 'preparing':
      return { title: words.preparingTitle, sentence: words.readySentence };
    case 'submitting':
      return { title: words.submittingTitle, sentence: words.readySentence };
    case 'in_progress':
      return { title: words.sendingTitle, sentence: words.sendingSentence };
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

function waitingWords(fax: Fax, last: HistoryEvent | undefined): LiveWords {
  const words = t.send.live;
  if (last?.kind === 'waiting') return { title: words.waitingTitle, sentence: last.text };
  if (isLater(fax))
    return { title: words.laterTitle(formatMoment(fax.send_at ?? '')), sentence: words.laterSentence };
  return { title: words.readyTitle, sentence: words.readySentence };
}

/** A person's word is not the machine's. */
function successSentence(fax: Fax): string {
  if (fax.decision) return t.send.live.successByPerson(fax.decision.by, fax.decision.note);
  const pages = fax.attempt?.pages_sent ?? fax.document.pages;
  return t.send.live.successSentence(formatCount(pages), pages === 1);
}
