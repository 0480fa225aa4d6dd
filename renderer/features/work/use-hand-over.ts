import { useMutation, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../api/sentence.ts';
import { assigneesQuery, storeItem, type WorkItem } from '../../api/work.ts';
import { carryOutOne } from '../../parts/work/acts.ts';
import { rememberAction } from '../../parts/work/last-action.ts';
import { useItemWords, useMyId } from '../../parts/work/use-work-actions.ts';
import { t } from '../../texts/work.ts';
import { announce } from '../../ui/live-region.tsx';

interface Person {
  readonly id: string;
  readonly name: string;
}

/** New owners of the person's own items, as far as they were chosen. */
export interface Takers {
  /** Items that this person may hand over. */
  readonly eligible: readonly WorkItem[];
  readonly of: (item: WorkItem) => string | null;
  /** Returns the people who can own an item, without this person. */
  readonly peopleFor: (item: WorkItem) => readonly Person[];
  /** Everybody who can own one of them. */
  readonly everybody: readonly Person[];
  /** Null: this person keeps it. Who cannot own one of the items does not get it. */
  readonly choose: (items: readonly WorkItem[], to: string | null) => void;
}

export function useTakers(items: readonly WorkItem[]): Takers {
  const [takers, setTakers] = useState<ReadonlyMap<string, string>>(new Map());
  const meId = useMyId();
  const eligible = items.filter(({ actions }) => actions.includes('assign'));
  // A person with a grant on one document can own its item, but not the others of its mailbox.
  const answers = useQueries({ queries: eligible.map(({ id }) => assigneesQuery(id)) });
  const byItem = new Map(
    eligible.map((item, index) => [item.id, (answers[index]?.data ?? []).filter(({ id }) => id !== meId)]),
  );
  const peopleFor = ({ id }: WorkItem) => byItem.get(id) ?? [];
  return {
    eligible,
    of: ({ id }) => takers.get(id) ?? null,
    peopleFor,
    everybody: [...new Map([...byItem.values()].flat().map((person) => [person.id, person])).values()],
    choose: (chosen, to) => {
      const next = new Map(takers);
      for (const item of chosen) {
        if (to === null) next.delete(item.id);
        else if (peopleFor(item).some(({ id }) => id === to)) next.set(item.id, to);
      }
      setTakers(next);
    },
  };
}

/** Gives each item to its new owner. Refusals are reported by item, with the gateway's sentence. */
export function useHandOver(onAllDone: () => void) {
  const what = useItemWords();
  return useMutation({
    mutationFn: async (handed: readonly { item: WorkItem; to: Person }[]) => {
      const done: WorkItem[] = [];
      const failed = new Map<string, string>();
      for (const { item, to } of handed) {
        try {
          const answer = await carryOutOne(item, { kind: 'assign', to });
          storeItem(answer);
          done.push(answer);
        } catch (error) {
          failed.set(item.id, sentenceOf(error));
        }
      }
      return { done, failed, all: handed.length };
    },
    onSuccess: ({ done, failed }) => {
      if (done.length > 0) {
        const words = what(done);
        const sentence = t.work.did.handOver(words);
        announce(sentence);
        rememberAction({ sentence, what: words, items: done.map(({ id, version }) => ({ id, version })) });
      }
      if (failed.size === 0) onAllDone();
    },
  });
}
