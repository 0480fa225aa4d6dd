import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type WorkItem, workNotesQuery } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { useActions } from '../../ui/actions.tsx';
import { KEYS, LAST_NOTE_KEY } from './act-keys.ts';
import { type Act, type ActKind, canDo } from './acts.ts';
import { isReturnedTo } from './pending-actions.ts';
import { useMyId, useWorkActions, type WorkActions } from './use-work-actions.ts';

/** Form to fill in before an action. */
type FormKind = 'assign' | 'done' | 'note';

export interface Triage {
  /** To which items the keys apply. */
  readonly items: readonly WorkItem[];
  readonly acts: WorkActions;
  readonly form: FormKind | null;
  /** Counts the openings of a form, so that each leads the keyboard into it. */
  readonly asked: number;
  /** Owner that was chosen when the assignment was refused. */
  readonly refusedTo: string | null;
  readonly can: (kind: ActKind) => boolean;
  readonly take: () => void;
  readonly acknowledge: () => void;
  readonly reopen: () => void;
  readonly open: (form: FormKind) => void;
  /** Leaves the form without doing anything. */
  readonly leave: () => void;
  readonly assign: (to: { readonly id: string; readonly name: string }) => void;
  /** As its writer saw the item; null for several, as they are now. */
  readonly done: (note: string, version: number | null) => void;
  /** Adds a note, in the same way; the items stay open. */
  readonly note: (note: string, version: number | null) => void;
  /** Note with which the person finished an item last; null before the first. */
  readonly lastNote: string | null;
  /** Marks the items as done with that note. */
  readonly doneAgain: () => void;
}

interface OpenForm {
  readonly kind: FormKind;
  /** As the person saw them. */
  readonly items: readonly WorkItem[];
}

/**
 * Registers the keys that take, assign, acknowledge and complete work items. `advance` moves to the next item: it receives
 * the action and its items, and null when a form was left.
 */
export function useTriage(on: {
  /** Under which the keys are listed. */
  readonly screen: string;
  readonly items: readonly WorkItem[];
  readonly advance: (act: Act | null, items: readonly WorkItem[]) => void;
}): Triage {
  const { screen, items, advance } = on;
  const meId = useMyId();
  const [opened, setOpened] = useState<OpenForm | null>(null);
  const [asked, setAsked] = useState(0);
  const acts = useWorkActions(items, (act, done) => {
    setOpened(null);
    advance(act, done);
  });
  const { failure } = acts;
  useEffect(() => {
    const kind = failure?.act.kind;
    if (!failure || (kind !== 'assign' && kind !== 'done' && kind !== 'note')) return;
    // A person who sends the form again has read what happened to the items, and means them as they are now.
    const seen = failure.meanwhile?.fresh ?? failure.items;
    if (!isReturnedTo(failure)) return setOpened((before) => before && { ...before, items: seen });
    setOpened({ kind, items: seen });
    setAsked((before) => before + 1);
  }, [failure]);
  const lastNote = useQuery({ ...workNotesQuery, enabled: items.length > 0 }).data?.last ?? null;
  const can = (kind: ActKind) => items.some((item) => canDo(kind, item));
  const seen = (version: number | null) =>
    items.map((item) => (version === null ? item : { ...item, version }));
  const triage: Triage = {
    items,
    acts,
    form: opened?.kind ?? null,
    asked: opened === null ? 0 : asked,
    refusedTo: failure?.act.kind === 'assign' ? failure.act.to.name : null,
    can,
    take: () => acts.run({ kind: 'take', meId }, items),
    acknowledge: () => acts.run({ kind: 'acknowledge' }, items),
    reopen: () => acts.run({ kind: 'reopen' }, items),
    open: (kind) => {
      setOpened({ kind, items });
      setAsked(asked + 1);
    },
    leave: () => {
      setOpened(null);
      advance(null, items);
    },
    assign: (to) => acts.run({ kind: 'assign', to }, opened?.items ?? items),
    done: (note, version) => acts.run({ kind: 'done', note }, seen(version)),
    note: (note, version) => acts.run({ kind: 'note', note }, seen(version)),
    lastNote,
    doneAgain: () => lastNote !== null && acts.run({ kind: 'done', note: lastNote }, items),
  };
  useTriageKeys(screen, triage);
  return triage;
}

function useTriageKeys(screen: string, triage: Triage): void {
  const { can, take, acknowledge, reopen, open, acts, lastNote, doneAgain } = triage;
  const words = t.work.actLabels;
  const rests = (kind: ActKind) => acts.isPending || !can(kind);
  useActions(screen, [
    {
      id: 'take-work',
      label: words.take,
      icon: 'hand',
      keys: KEYS.take,
      isDisabled: rests('take'),
      run: take,
    },
    {
      id: 'assign-work',
      label: words.assign,
      icon: 'person',
      keys: KEYS.assign,
      isDisabled: rests('assign'),
      run: () => open('assign'),
    },
    {
      id: 'acknowledge-work',
      label: words.acknowledge,
      icon: 'ok',
      keys: KEYS.acknowledge,
      isDisabled: rests('acknowledge'),
      run: acknowledge,
    },
    {
      id: 'done-work',
      label: words.done,
      icon: 'check',
      keys: KEYS.done,
      isDisabled: rests('done'),
      run: () => open('done'),
    },
    {
      id: 'done-again-work',
      label: lastNote === null ? words.doneAgain : words.doneAgainWith(lastNote),
      icon: 'check',
      keys: LAST_NOTE_KEY,
      isDisabled: rests('done') || lastNote === null,
      run: doneAgain,
    },
    {
      id: 'note-work',
      label: words.note,
      icon: 'note',
      keys: KEYS.note,
      isDisabled: rests('note'),
      run: () => open('note'),
    },
    { id: 'reopen-work', label: words.reopen, icon: 'undo', isDisabled: rests('reopen'), run: reopen },
  ]);
}
