import type { z } from 'zod';
import type { FaxEvent } from '../../../../shared/api/outbound-shapes.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/index.ts';
import { formatCount, formatMoment } from '../../../ui/format.ts';

export type HistoryEvent = z.infer<typeof FaxEvent>;

/** One line of the way a fax takes: behind it, where it stands, or what is to come. */
export interface FaxStep {
  readonly kind: 'done' | 'now' | 'doubt' | 'answered doubt' | 'failed' | 'next';
  readonly title: string;
  readonly sentence: string | null;
  /** ISO; null for what has not happened. */
  readonly at: string | null;
}

/** What happened to the fax by its history, where it stands, and what is still open. Nothing is added that nobody told. */
export function stepsOf(fax: Fax, history: readonly HistoryEvent[]): readonly FaxStep[] {
  const behind = history.map((event, index) => stepOf(fax, event, index === history.length - 1));
  return [...behind, ...presentOf(fax, history.at(-1)), ...openOf(fax)];
}

function stepOf(fax: Fax, event: HistoryEvent, isLast: boolean): FaxStep {
  const words = t.send.steps;
  const at = event.occurred_at;
  const done = (title: string, sentence: string | null): FaxStep => ({ kind: 'done', title, sentence, at });
  const now = (title: string, sentence: string | null): FaxStep => ({ kind: 'now', title, sentence, at });
  switch (event.kind) {
    case 'accepted':
      return done(words.accepted, contentOf(fax));
    case 'held':
      return isLast && fax.delivery_state === 'held'
        ? now(words.acceptedHeld, event.text)
        : done(words.acceptedHeld, contentOf(fax));
    case 'released':
      return done(words.released, event.actor);
    case 'waiting':
      return (isLast ? now : done)(words.waiting, event.text);
    case 'submitting':
      return (isLast && fax.delivery_state === 'submitting' ? now : done)(words.submitted, attemptOf(fax));
    case 'in_progress':
      return isLast && fax.delivery_state === 'in_progress'
        ? now(words.sending, fax.attempt?.pages_sent === null ? words.noPages : null)
        : done(words.taken, null);
    default:
      return endOf(fax, event, isLast);
  }
}

function endOf(fax: Fax, event: HistoryEvent, isLast: boolean): FaxStep {
  const words = t.send.steps;
  const { text: sentence, occurred_at: at } = event;
  switch (event.kind) {
    case 'success':
      return { kind: 'done', title: words.success, sentence, at };
    case 'failed':
      return { kind: 'failed', title: words.failed, sentence, at };
    case 'cancelled':
      return { kind: 'failed', title: words.cancelled, sentence: event.actor, at };
    case 'reconciliation_required': {
      const isOpen = isLast && fax.delivery_state === 'reconciliation_required';
      // The question itself says it while it is open.
      const title = words.doubtful;
      return isOpen
        ? { kind: 'doubt', title, sentence: null, at }
        : { kind: 'answered doubt', title, sentence, at };
    }
    case 'reconciled':
      return {
        kind: fax.delivery_state === 'failed' ? 'failed' : 'done',
        title: words.decided,
        sentence,
        at,
      };
    case 'late_report':
      return { kind: 'done', title: words.late, sentence, at };
    default:
      return { kind: 'done', title: sentence, sentence: null, at };
  }
}

/** States that have no event of their own. */
function presentOf(fax: Fax, last: HistoryEvent | undefined): FaxStep[] {
  const now = (title: string): FaxStep[] => [{ kind: 'now', title, sentence: null, at: null }];
  if (fax.delivery_state === 'preparing') return now(t.send.live.preparingTitle);
  // A fax that waited for its provider is submitted again without another event.
  if (fax.delivery_state === 'submitting' && last?.kind !== 'submitting') return now(t.send.steps.submitted);
  if (fax.delivery_state !== 'ready' || last?.kind === 'waiting') return [];
  return now(isLater(fax) ? t.send.live.laterTitle(formatMoment(fax.send_at ?? '')) : t.send.live.readyTitle);
}

function openOf({ delivery_state, document: { pages } }: Fax): FaxStep[] {
  const words = t.send.steps;
  switch (delivery_state) {
    case 'success':
    case 'failed':
    case 'cancelled':
      return [];
    case 'reconciliation_required':
      return [{ kind: 'next', title: words.open, sentence: words.openSentence, at: null }];
    default:
      return [
        {
          kind: 'next',
          title: words.success,
          sentence: words.onlyWhen(formatCount(pages), pages === 1),
          at: null,
        },
      ];
  }
}

/** Its time has not come. */
export function isLater({ send_at }: Pick<Fax, 'send_at'>): boolean {
  return send_at !== null && Date.parse(send_at) > Date.now();
}

function contentOf({ document: { pages, file_name }, titles, clean_greys }: Fax): string {
  const words = t.send.steps;
  const content = words.content(formatCount(pages), pages === 1, words.files(titles.length || 1, file_name));
  return clean_greys ? `${content}, ${words.cleaned}` : content;
}

const attemptOf = ({ attempt }: Fax) =>
  attempt === null ? null : t.send.steps.attempt(formatCount(attempt.number));
