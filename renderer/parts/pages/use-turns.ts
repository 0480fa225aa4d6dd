import { useCallback, useState } from 'react';
import type { OnTurn } from './page-props.ts';

const upright: ReadonlyMap<number, number> = new Map();

/** Returns the rotation of the pages of a fax, and a function that turns the current page or all of them. */
export function useTurns(
  count: number,
  current: number,
): { turnsOf: (page: number) => number; turn: OnTurn } {
  const [turns, setTurns] = useState(upright);
  const turnsOf = useCallback((page: number) => turns.get(page) ?? 0, [turns]);
  const turn: OnTurn = (by, of) => {
    const pages = of === 'all' ? Array.from({ length: count }, (_, index) => index + 1) : [current];
    setTurns((before) => {
      const next = new Map(before);
      for (const page of pages) next.set(page, ((before.get(page) ?? 0) + by + 4) % 4);
      return next;
    });
  };
  return { turnsOf, turn };
}
