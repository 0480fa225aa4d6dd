import { useEffect, useState } from 'react';
import type { WorkItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { useActions } from '../../ui/actions.tsx';
import { type Act, type ActKind, canDo } from './acts.ts';
import { keepNote, noteDraft } from './drafts.ts';
import { isReturnedTo } from './pending-actions.ts';
import { useMyId, useWorkActions, type WorkActions } from './use-work-actions.ts';

/** Form to fill in before an action. */
type FormKind = 'assign' | 'done';

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
}

interface OpenForm {
  readonly kind: FormKind;
  /** As the person saw them; null once they read them again. */
  readonly items: readonly WorkItem[] | null;
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
    if (!failure || !isReturnedTo(failure) || (kind !== 'assign' && kind !== 'done')) return;
    setOpened({ kind, items: failure.items });
    setAsked((before) => before + 1);
  }, [failure]);
  const can = (kind: ActKind) => items.some((item) => canDo(kind, item));
  const fit = (kind: ActKind, of = items) => of.filter((item) => canDo(kind, item));
  const triage: Triage = {
    items,
    acts: {
      ...acts,
      reload: () => {
        setOpened((before) => before && { ...before, items: null });
        for (const { id } of items) keepNote(id, { ...noteDraft(id), version: null });
        acts.reload();
      },
    },
    form: opened?.kind ?? null,
    asked: opened === null ? 0 : asked,
    refusedTo: failure?.act.kind === 'assign' ? failure.act.to.name : null,
    can,
    take: () => acts.run({ kind: 'take', meId }, fit('take')),
    acknowledge: () => acts.run({ kind: 'acknowledge' }, fit('acknowledge')),
    reopen: () => acts.run({ kind: 'reopen' }, fit('reopen')),
    open: (kind) => {
      setOpened({ kind, items });
      setAsked(asked + 1);
    },
    leave: () => {
      setOpened(null);
      advance(null, items);
    },
    assign: (to) => acts.run({ kind: 'assign', to }, fit('assign', opened?.items ?? items)),
    done: (note, version) => {
      const seen = fit('done').map((item) => (version === null ? item : { ...item, version }));
      acts.run({ kind: 'done', note }, seen);
    },
  };
  useTriageKeys(screen, triage);
  return triage;
}

function useTriageKeys(screen: string, { can, take, acknowledge, reopen, open, acts }: Triage): void {
  const words = t.work.actLabels;
  const rests = (kind: ActKind) => acts.isPending || !can(kind);
  useActions(screen, [
    { id: 'take-work', label: words.take, icon: 'hand', keys: 'o', isDisabled: rests('take'), run: take },
    {
      id: 'assign-work',
      label: words.assign,
      icon: 'person',
      keys: 'a',
      isDisabled: rests('assign'),
      run: () => open('assign'),
    },
    {
      id: 'acknowledge-work',
      label: words.acknowledge,
      icon: 'ok',
      keys: 'e',
      isDisabled: rests('acknowledge'),
      run: acknowledge,
    },
    {
      id: 'done-work',
      label: words.done,
      icon: 'check',
      keys: 'd',
      isDisabled: rests('done'),
      run: () => open('done'),
    },
    { id: 'reopen-work', label: words.reopen, icon: 'undo', isDisabled: rests('reopen'), run: reopen },
  ]);
}
