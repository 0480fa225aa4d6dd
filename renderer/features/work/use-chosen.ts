import { useCallback, useState } from 'react';
import type { Cursor } from '../../parts/lists/list-cursor.ts';
import { t } from '../../texts/work.ts';
import { useActions } from '../../ui/actions.tsx';
import type { WorkList } from './use-work-list.ts';

/** The rows that something is to be done with together. */
export interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Chosen rows of one list; another list begins with none. */
export function useChosen(listName: string): Chosen {
  const [{ of, ids }, setChosen] = useState({ of: listName, ids: NONE });
  const shown = of === listName ? ids : NONE;
  const toggle = useCallback(
    (id: string) =>
      setChosen((before) => {
        const next = new Set(before.of === listName ? before.ids : NONE);
        if (!next.delete(id)) next.add(id);
        return { of: listName, ids: next };
      }),
    [listName],
  );
  const clear = useCallback(() => setChosen({ of: listName, ids: NONE }), [listName]);
  return { ids: shown, toggle, clear };
}

/** X chooses the row at which the keyboard stands, or leaves it out. */
export function useChooseKey(list: WorkList, { active }: Cursor, { toggle }: Chosen): void {
  const item = active === null ? undefined : list.at(active);
  useActions(t.work.title, [
    {
      id: 'choose-row',
      label: t.work.keys.choose,
      icon: 'check',
      keys: 'x',
      isDisabled: item === undefined,
      run: () => item && toggle(item.id),
    },
  ]);
}
