import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Rows that are distinguished by id. */
export interface NamedRows {
  /** Another one for other rows, which are shown from their top. */
  readonly name: string;
  at(index: number): { readonly id: string } | undefined;
  indexOf(id: string): number | null;
}

interface SeenRow {
  readonly id: string;
  readonly index: number;
  /** In px from the top of all rows. */
  readonly top: number;
}

/**
 * Keeps the rows in view in place while rows above them come and go. Sets the scroll position directly: the virtualizer
 * is notified only afterwards.
 */
export function useAnchor(on: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: NamedRows | undefined;
  /** The rows in sight. */
  readonly range: { readonly startIndex: number; readonly endIndex: number } | null;
  readonly topAt: (index: number) => number;
}): void {
  const { scroller, rows, range, topAt } = on;
  const seen = useRef<{ readonly name: string; readonly rows: readonly SeenRow[] } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !rows) return;
    const before = seen.current;
    if (before && before.name !== rows.name) element.scrollTop = 0;
    else if (before) {
      const shift = shiftOf(before.rows, rows, topAt);
      // Reading the position has the browser lay out the page, which takes longer than all of the rest.
      if (shift !== 0 && element.scrollTop > 0) element.scrollTop += shift;
    }
    seen.current = { name: rows.name, rows: range ? rowsIn(range, rows, topAt) : [] };
  });
}

/** Returns how far the first remaining row moved, in px. */
function shiftOf(before: readonly SeenRow[], rows: NamedRows, topAt: (index: number) => number): number {
  for (const { id, index, top } of before) {
    const now = rows.at(index)?.id === id ? index : rows.indexOf(id);
    if (now !== null) return topAt(now) - top;
  }
  return 0;
}

function rowsIn(
  { startIndex, endIndex }: { readonly startIndex: number; readonly endIndex: number },
  rows: NamedRows,
  topAt: (index: number) => number,
): SeenRow[] {
  const found: SeenRow[] = [];
  for (let index = startIndex; index <= endIndex; index += 1) {
    const id = rows.at(index)?.id;
    if (id !== undefined) found.push({ id, index, top: topAt(index) });
  }
  return found;
}
