import { useMe } from '../../api/queries.ts';
import { refetchItem, type WorkItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { formatCount, usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { numberWord } from '../received/fax-words.ts';
import { type Act, sentenceFor } from './acts.ts';
import { rememberAction } from './last-action.ts';
import { forgetRefusal, type Refusal, send, useActState } from './pending-actions.ts';

export interface WorkActions {
  /** One of the items waits for the answer to what was done before. */
  readonly isPending: boolean;
  /** Refusal that concerns the shown items. */
  readonly failure: Refusal | null;
  /** Does it to the items one after the other, as they are given. */
  readonly run: (act: Act, items: readonly WorkItem[]) => void;
  /** Reads the items again that changed, and forgets the failure. */
  readonly reload: () => void;
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
  const phone = usePhoneFormat();
  const { underway, refusals } = useActState();
  const isShown = ({ items }: { items: readonly WorkItem[] }) =>
    items.some(({ id }) => shown.some((item) => item.id === id));
  const isPending = underway.some(isShown);
  const failure = refusals.findLast(isShown) ?? null;
  return {
    isPending,
    failure: isPending ? null : failure,
    run: (act, items) => {
      if (isPending || items.length === 0) return;
      const isSingle = items.length === 1;
      void send({ act, items, what: what(items) }, (done) => {
        const words = what(done);
        const [first] = done;
        const sentence = sentenceFor(act, first && done.length === 1 ? faxWords(first, phone) : words);
        announce(sentence);
        rememberAction({ sentence, what: words, items: done.map(({ id, version }) => ({ id, version })) });
        if (!isSingle) onDone(act, done);
      });
      if (isSingle) onDone(act, items);
    },
    reload: () => failure && refetchRefused(failure),
  };
}

/** Reads the items again whose change was refused, and forgets that. */
export function refetchRefused(refusal: Refusal): void {
  for (const { id } of refusal.items) refetchItem(id);
  forgetRefusal(refusal);
}

/** "The fax from +1 202 555 0142", or how many items. */
export function useItemWords(): (items: readonly Pick<WorkItem, 'from_number' | 'contact'>[]) => string {
  const phone = usePhoneFormat();
  return ([first, ...others]) =>
    first && others.length === 0
      ? t.work.oneFax(senderWord(first, phone))
      : t.work.items(formatCount(others.length + (first ? 1 : 0)), false);
}

/** "The fax from +1 202 555 0142 (3 pages)": what tells it from the next one of the same sender. */
function faxWords(item: WorkItem, phone: (number: string) => string): string {
  return t.work.oneFaxOf(senderWord(item, phone), formatCount(item.pages), item.pages === 1);
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

/** Describes why an action was refused, and for how many items. */
export function refusedWords({ items, all, sentence }: Refusal): string {
  return all === 1
    ? sentence
    : `${t.work.someFailed(formatCount(items.length), formatCount(all))} ${sentence}`;
}
