import type { z } from 'zod';
import type { FaxEvent } from '../../../../shared/api/outbound-shapes.ts';
import type { FaxHistoryKind } from '../../../../shared/history-kinds.ts';
import { progressWords } from '../../../parts/call-progress.ts';
import { documentPagesSent, type Fax, sendTogetherState } from '../../../parts/fax-state.ts';
import { isByLine } from '../../../parts/provider-name.ts';
import { t } from '../../../texts/index.ts';
import { formatCount, formatDayAndTime, formatTime } from '../../../ui/format.ts';

export type HistoryEvent = z.infer<typeof FaxEvent>;

/** One line of the way a fax takes: behind it, where it stands, or what is to come. */
export interface FaxStep {
  readonly kind: 'done' | 'now' | 'unconfirmed' | 'confirmed' | 'failed' | 'next';
  readonly title: string;
  readonly sentence: string | null;
  /** ISO; null for what has not happened. */
  readonly at: string | null;
}

/** One entry of the history, whether it is the oldest or the newest, and what kind followed. */
interface Entry {
  readonly fax: Fax;
  /** The vendor's name. */
  readonly provider: string;
  readonly event: HistoryEvent;
  readonly next: FaxHistoryKind | null;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** It is of an attempt that another one followed, perhaps by another provider. */
  readonly isEarlier: boolean;
}

/** Lists the steps of a fax: its history, where it stands, and what is still open. Contains only reported events. */
export function stepsOf(fax: Fax, history: readonly HistoryEvent[], provider: string): readonly FaxStep[] {
  const behind = history.map((event, index) =>
    STEPS[event.kind]({
      fax,
      provider,
      event,
      next: history[index + 1]?.kind ?? null,
      isFirst: index === 0,
      isLast: index === history.length - 1,
      isEarlier: history.slice(index + 1).some(({ kind }) => kind === 'submitting'),
    }),
  );
  return [...behind, ...currentStep(fax, history.at(-1), provider), ...openSteps(fax)];
}

const words = t.send.steps;

/** Events that happen only after the provider accepted the fax. */
const TAKEN: ReadonlySet<FaxHistoryKind> = new Set(['in_progress', 'success']);

const STEPS: Readonly<Record<FaxHistoryKind, (entry: Entry) => FaxStep>> = {
  accepted: ({ fax, event }) => step('done', event, words.accepted, contentOf(fax)),
  held: ({ fax, event, isFirst, isLast }) => {
    const title = isFirst ? words.acceptedHeld : t.fax.held;
    return isLast && fax.delivery_state === 'held'
      ? step('now', event, title, event.text)
      : step('done', event, title, isFirst ? contentOf(fax) : event.text);
  },
  released: ({ event }) => step('done', event, words.released, event.actor),
  rescheduled: ({ event }) => step('done', event, words.rescheduled, event.text),
  waiting: ({ event, isLast }) => step(isLast ? 'now' : 'done', event, words.waiting, event.text),
  submitting: ({ fax, provider, event, next, isLast, isEarlier }) => {
    if (isEarlier) return step('done', event, titled(event.text), null);
    const isNow = isLast && fax.delivery_state === 'submitting';
    const isTaken = next !== null && TAKEN.has(next);
    const title =
      isTaken && !fax.internal && !fax.direct ? words.submitted(provider) : submittingWord(fax, provider);
    return step(isNow ? 'now' : 'done', event, title, attemptOf(fax));
  },
  next_step: ({ event }) => step('done', event, words.nextStep, event.text),
  in_progress: ({ fax, provider, event, isLast, isEarlier }) => {
    if (isEarlier) return step('done', event, titled(event.text), null);
    const taken = takenWord(fax, provider);
    return isLast && fax.delivery_state === 'in_progress'
      ? step('now', event, taken, fax.direct ? event.text : (progressWords(fax) ?? unreported(fax, provider)))
      : step('done', event, taken, null);
  },
  success: ({ fax, event }) => step('done', event, confirmedOf(fax), null),
  failed: ({ event }) => step('failed', event, words.failed, event.text),
  cancelled: ({ event }) => step('failed', event, words.cancelled, event.actor),
  reconciliation_required: ({ fax, event, isLast }) =>
    // The open question shows it itself.
    isLast && fax.delivery_state === 'reconciliation_required'
      ? step('unconfirmed', event, words.unconfirmed, null)
      : step('confirmed', event, words.unconfirmed, event.text),
  reconciled: ({ fax, event }) =>
    step(fax.delivery_state === 'failed' ? 'failed' : 'done', event, words.decided, event.text),
  not_reached: ({ event }) => step('done', event, words.notReached, event.text),
  late_report: ({ event }) => step('done', event, words.late, event.text),
  about: ({ event }) => step('done', event, words.about, event.text),
};

const unreported = (fax: Fax, provider: string) =>
  fax.attempt?.pages_sent === null && !isByLine(fax) ? words.noPages(provider) : null;

/** A sentence of the history as a title. */
const titled = (text: string) => text.replace(/\.$/u, '');

function submittingWord(fax: Fax, provider: string): string {
  if (isByLine(fax)) return words.call.begun;
  if (fax.direct) return words.submittingDirectly;
  return fax.internal ? words.submittingInternally : words.submitting(provider);
}

function step(
  kind: FaxStep['kind'],
  { occurred_at: at }: HistoryEvent,
  title: string,
  sentence: string | null,
): FaxStep {
  return { kind, title, sentence, at };
}

/** States that have no event of their own. */
function currentStep(fax: Fax, last: HistoryEvent | undefined, provider: string): FaxStep[] {
  const now = (title: string): FaxStep[] => [{ kind: 'now', title, sentence: null, at: null }];
  if (fax.delivery_state === 'preparing') return now(t.send.live.preparingTitle);
  // A fax that waited for its provider is submitted again without another event.
  if (fax.delivery_state === 'submitting' && last?.kind !== 'submitting')
    return now(submittingWord(fax, provider));
  if (fax.delivery_state !== 'ready' || last?.kind === 'waiting') return [];
  return now(
    sendTogetherState(fax)?.word ??
      (isLater(fax)
        ? t.send.live.laterTitle(formatDayAndTime(fax.hours?.open_at ?? fax.send_at ?? ''))
        : t.send.live.readyTitle),
  );
}

function openSteps(fax: Fax): FaxStep[] {
  switch (fax.delivery_state) {
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
          sentence: onlyWhen(fax),
          at: null,
        },
      ];
  }
}

/** Returns the condition for calling it delivered; null where both happen together. */
function onlyWhen(fax: Fax): string | null {
  if (fax.internal) return null;
  const { pages } = fax.document;
  return fax.direct ? words.onlyWithReceipt : words.onlyWhen(formatCount(pages), pages === 1);
}

/** Its time has not come. */
export function isLater({ send_at, hours }: Pick<Fax, 'send_at' | 'hours'>): boolean {
  if (hours !== null) return true;
  return send_at !== null && Date.parse(send_at) > Date.now();
}

function contentOf({ document: { pages, file_name }, titles, clean_greys }: Fax): string {
  const content = words.content(formatCount(pages), pages === 1, words.files(titles.length || 1, file_name));
  return clean_greys ? `${content}, ${words.cleaned}` : content;
}

/** A provider that reports no page count confirms the whole fax. */
function takenWord(fax: Fax, provider: string): string {
  if (fax.test) return words.takenAsTest;
  if (fax.direct) return words.waitingForReceipt;
  return isByLine(fax) ? words.call.begun : words.taken(provider, fax.provider_sid);
}

function confirmedOf(fax: Fax): string {
  const pages = documentPagesSent(fax) ?? fax.document.pages;
  if (fax.test) return t.fax.deliveredAsTest;
  if (fax.delivered_by === 'direct')
    return t.fax.arrivedDirectly(formatTime(fax.attempt?.completed_at ?? fax.updated_at));
  if (fax.delivered_by === 'internal') return words.deliveredInternally(formatCount(pages), pages === 1);
  return words.confirmedPages(formatCount(pages), pages === 1);
}

const attemptOf = ({ attempt }: Fax) =>
  attempt === null ? null : words.attempt(formatCount(attempt.number));
