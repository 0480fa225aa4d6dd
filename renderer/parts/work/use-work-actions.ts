import { LIMITS } from '../../../shared/limits.ts';
import { queryClient, useMe } from '../../api/queries.ts';
import { type WorkItem, workNotesQuery } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { formatCount, usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { numberWord } from '../received/fax-words.ts';
import { type Act, isReadyFor, sentenceFor } from './acts.ts';
import { rememberAction } from './last-action.ts';
import { type Refusal, refuse, send, useActState } from './pending-actions.ts';

export interface WorkActions {
  /** One of the items waits for the answer to what was done before. */
  readonly isPending: boolean;
  /** Refusal that concerns the shown items. */
  readonly failure: Refusal | null;
  /** Does it to all of the items as they are given, or to none of them. */
  readonly run: (act: Act, items: readonly WorkItem[]) => void;
}

/**
 * Returns the actions for these work items, for all lists alike: each is announced and can be undone, and refusals are
 * shown. `onDone` is called for a single item at once, before the response, so that the next one does not wait; for
 * several with those that were changed.
 */
export function useWorkActions(
  shown: readonly WorkItem[],
  onDone: (act: Act, items: readonly WorkItem[]) => void,
): WorkActions {
  const what = useItemWords();
  const faxWord = useFaxWord();
  const { underway, refusals } = useActState();
  const isShown = ({ items }: { items: readonly WorkItem[] }) =>
    items.some(({ id }) => shown.some((item) => item.id === id));
  // An item that is shown with a later version has changed since: the event of the change may come before its answer.
  const isWaiting = ({ id, version }: WorkItem) =>
    shown.some((item) => item.id === id && item.version <= version);
  const isPending = underway.some(({ items }) => items.some(isWaiting));
  const failure = refusals.findLast(isShown) ?? null;
  return {
    isPending,
    failure: isPending ? null : failure,
    run: (act, items) => {
      if (isPending || items.length === 0) return;
      const isSingle = items.length === 1;
      const problem = isSingle ? null : problemOf(act, items);
      const action = { act, items, what: what(items), names: items.map(faxWord) };
      if (problem !== null) return refuse(action, problem);
      void send(action, (done) => {
        const words = what(done);
        const sentence = sentenceFor(act, words);
        announce(sentence);
        rememberAction({ sentence, what: words, items: done.map(({ id, version }) => ({ id, version })) });
        if (act.kind === 'done') rememberNote(act.note);
        if (!isSingle) onDone(act, done);
      });
      if (isSingle) onDone(act, items);
    },
  };
}

/** Returns why several items cannot be changed together, so that none of them is; null when they can. */
function problemOf({ kind }: Act, items: readonly WorkItem[]): string | null {
  if (items.length > LIMITS.workTogether) return t.work.tooMany(formatCount(LIMITS.workTogether));
  const misfits = items.filter((item) => !isReadyFor(kind, item)).length;
  return misfits === 0 ? null : t.work.notAll[kind](formatCount(misfits), formatCount(items.length));
}

/** The note that the person used last is offered first, before the gateway is asked again. */
function rememberNote(note: string): void {
  queryClient.setQueryData(workNotesQuery.queryKey, (before) => before && { ...before, last: note });
}

const MOST_NAMED = 3;

/** "+1 202 555 0142 (2 pages)" */
function useFaxWord(): (item: Pick<WorkItem, 'from_number' | 'contact' | 'pages'>) => string {
  const phone = usePhoneFormat();
  return (item) => t.work.faxWord(senderWord(item, phone), formatCount(item.pages), item.pages === 1);
}

/** "The fax from +1 202 555 0142 (2 pages)", or several by sender and pages. */
export function useItemWords(): (
  items: readonly Pick<WorkItem, 'from_number' | 'contact' | 'pages'>[],
) => string {
  const faxWord = useFaxWord();
  return (items) => {
    const named = items.slice(0, MOST_NAMED).map(faxWord);
    const [first = ''] = named;
    const others = items.length - named.length;
    if (items.length === 1) return t.work.oneFax(first);
    return t.work.items(formatCount(items.length), named, others === 0 ? null : formatCount(others));
  };
}

/** Returns the sender of an item's fax by the name people know. */
export function senderWord(
  { from_number, contact }: Pick<WorkItem, 'from_number' | 'contact'>,
  phone: (number: string) => string,
): string {
  if (contact) return contact.name;
  return from_number === null ? t.inbox.unknownNumber : numberWord(from_number, phone);
}

export function useMyId(): string {
  return useMe()?.principal.id ?? '';
}

/** Describes why an action was refused: by what happened meanwhile, where something did. */
export function refusedWords({ act, items, sentence, meanwhile }: Refusal): string {
  const none =
    items.length === 1 || meanwhile === null ? [] : [t.work.noneChanged(formatCount(items.length))];
  if (meanwhile === null) return [...none, sentence].join(' ');
  const question = meanwhile.fresh === null ? t.work.cannotAnyMore[act.kind] : t.work.anyway[act.kind];
  return [...none, meanwhile.sentence, question].join(' ');
}
