import type { z } from 'zod';
import type { FaxEvent } from '../../../../shared/api/outbound-shapes.ts';
import type { FaxHistoryKind } from '../../../../shared/history-kinds.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/index.ts';
import { formatCount, formatMoment } from '../../../ui/format.ts';

export type HistoryEvent = z.infer<typeof FaxEvent>;

/** One line of the way a fax takes: behind it, where it stands, or what is to come. */
export interface FaxStep {
  readonly kind: 'done' | 'now' | 'unconfirmed' | 'confirmed' | 'failed' | 'next';
  readonly title: string;
  readonly sentence: string | null;
  /** ISO; null for what has not happened. */
  readonly at: string | null;
}

/** One entry of the history, and whether it is the newest. */
interface Entry {
  readonly fax: Fax;
  readonly event: HistoryEvent;
  readonly isLast: boolean;
}

/** What happened to the fax by its history, where it stands, and what is still open. Nothing is added that nobody told. */
export function stepsOf(fax: Fax, history: readonly HistoryEvent[]): readonly FaxStep[] {
  const behind = history.map((event, index) =>
    STEPS[event.kind]({ fax, event, isLast: index === history.length - 1 }),
  );
  return [...behind, ...presentOf(fax, history.at(-1)), ...openOf(fax)];
}

const words = t.send.steps;

const STEPS: Readonly<Record<FaxHistoryKind, (entry: Entry) => FaxStep>> = {
  accepted: ({ fax, event }) => step('done', event, words.accepted, contentOf(fax)),
  held: ({ fax, event, isLast }) =>
    isLast && fax.delivery_state === 'held'
      ? step('now', event, words.acceptedHeld, event.text)
      : step('done', event, words.acceptedHeld, contentOf(fax)),
  released: ({ event }) => step('done', event, words.released, event.actor),
  waiting: ({ event, isLast }) => step(isLast ? 'now' : 'done', event, words.waiting, event.text),
  submitting: ({ fax, event, isLast }) => {
    const isNow = isLast && fax.delivery_state === 'submitting';
    return step(isNow ? 'now' : 'done', event, words.submitted, attemptOf(fax));
  },
  next_step: ({ event }) => step('done', event, words.nextStep, event.text),
  in_progress: ({ fax, event, isLast }) =>
    isLast && fax.delivery_state === 'in_progress'
      ? step('now', event, words.sending, fax.attempt?.pages_sent === null ? words.noPages : null)
      : step('done', event, words.taken, null),
  success: ({ event }) => step('done', event, words.success, event.text),
  failed: ({ event }) => step('failed', event, words.failed, event.text),
  cancelled: ({ event }) => step('failed', event, words.cancelled, event.actor),
  reconciliation_required: ({ fax, event, isLast }) =>
    // The question itself says it while it is open.
    isLast && fax.delivery_state === 'reconciliation_required'
      ? step('unconfirmed', event, words.unconfirmed, null)
      : step('confirmed', event, words.unconfirmed, event.text),
  reconciled: ({ fax, event }) =>
    step(fax.delivery_state === 'failed' ? 'failed' : 'done', event, words.decided, event.text),
  late_report: ({ event }) => step('done', event, words.late, event.text),
};

function step(
  kind: FaxStep['kind'],
  { occurred_at: at }: HistoryEvent,
  title: string,
  sentence: string | null,
): FaxStep {
  return { kind, title, sentence, at };
}

/** States that have no event of their own. */
function presentOf(fax: Fax, last: HistoryEvent | undefined): FaxStep[] {
  const now = (title: string): FaxStep[] => [{ kind: 'now', title, sentence: null, at: null }];
  if (fax.delivery_state === 'preparing') return now(t.send.live.preparingTitle);
  // A fax that waited for its provider is submitted again without another event.
  if (fax.delivery_state === 'submitting' && last?.kind !== 'submitting') return now(words.submitted);
  if (fax.delivery_state !== 'ready' || last?.kind === 'waiting') return [];
  return now(isLater(fax) ? t.send.live.laterTitle(formatMoment(fax.send_at ?? '')) : t.send.live.readyTitle);
}

function openOf({ delivery_state, document: { pages } }: Fax): FaxStep[] {
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
  const content = words.content(formatCount(pages), pages === 1, words.files(titles.length || 1, file_name));
  return clean_greys ? `${content}, ${words.cleaned}` : content;
}

const attemptOf = ({ attempt }: Fax) =>
  attempt === null ? null : words.attempt(formatCount(attempt.number));
