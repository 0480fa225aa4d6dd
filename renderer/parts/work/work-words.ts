import type { WorkItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { formatDuration, formatMoment, formatWhen } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/state-word.tsx';
import type { StateSign } from '../fax-state.ts';
import { type Due, dueTime } from './due.ts';
import { usePendingAction } from './pending-actions.ts';

const SIGNS: Readonly<Record<WorkItem['state_key'], readonly [Tone, IconName]>> = {
  waiting: ['plain', 'pending'],
  assigned: ['plain', 'person'],
  overdue: ['danger', 'late'],
  escalated: ['danger', 'flag'],
  acknowledged: ['ok', 'ok'],
  done: ['ok', 'check'],
};

/** The state of a work item in a few words with its sign. */
function workState({ state_key }: Pick<WorkItem, 'state_key'>): StateSign {
  const [tone, icon] = SIGNS[state_key];
  return { tone, icon, word: t.work.states[state_key] };
}

/** The same, or what is on its way for the item. */
export function useWorkState(item: Pick<WorkItem, 'id' | 'state_key'>): StateSign {
  const doing = usePendingAction(item.id);
  return doing ? { tone: 'go', icon: 'going', word: t.work.underway[doing.act.kind] } : workState(item);
}

/** Due time in words, for a column and for a sentence; `icon` is null where no sign is needed. */
interface DueSign {
  readonly tone: Tone;
  readonly icon: IconName | null;
  readonly word: string;
  readonly sentence: string;
}

/** Returns how late it is, in how many minutes it is due, or when; null where none applies. */
export function dueSign(item: Due & Pick<WorkItem, 'done_at'>, now: Date): DueSign | null {
  const words = t.work.due;
  const due = dueTime(item, now);
  switch (due?.kind) {
    case undefined:
      return null;
    case 'done':
      return sign('plain', null, words.done(formatWhen(item.done_at ?? '', now)));
    case 'late':
      return sign('danger', 'late', words.late(formatDuration(due.minutes * 60)));
    case 'now':
      return sign('warn', 'clock', words.now);
    case 'in': {
      const time = formatDuration(due.minutes * 60);
      return sign('warn', 'clock', words.in(time), words.dueIn(time));
    }
    case 'at': {
      const word = formatMoment(item.due_at ?? '', now);
      return sign('plain', 'clock', word, words.dueAt(word));
    }
  }
}

const sign = (tone: Tone, icon: IconName | null, word: string, sentence = word): DueSign => ({
  tone,
  icon,
  word,
  sentence,
});
