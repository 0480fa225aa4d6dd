import { newest } from '../newer.ts';
import type { Listed } from './list.ts';

/** Returns true when a row precedes another one in the list. */
export type IsBefore<Row> = (row: Row, other: Row) => boolean;

interface Timed extends Listed {
  readonly created_at: string;
}

/** By time, then by id, newest first: the order of both lists of faxes. */
export const newestFirst: IsBefore<Timed> = (row, other) =>
  row.created_at > other.created_at || (row.created_at === other.created_at && row.id > other.id);

/** Change of a row since its list was read. */
export type RowChange<Row> =
  /** It can be seen no more. */
  | { readonly kind: 'gone' }
  /** As it is now. `fits` is the gateway's word on whether it belongs under the filter. */
  | { readonly kind: 'changed'; readonly row: Row; readonly fits: boolean };

/**
 * Lays changes over rows. A row keeps its position even when it no longer fits, unless it `leaves`; one that fits and is new comes where it
 * belongs, unless that part of the list was not read yet. What was read is kept where it is newer than the change. Where a
 * change of a row would move it (`canMove`), rows are ordered by what they were when they were read.
 */
export function withChanges<Row extends Listed>(
  rows: readonly Row[],
  changes: ReadonlyMap<string, RowChange<Row>>,
  on: {
    readonly isBefore: IsBefore<Row>;
    readonly isWhole: boolean;
    readonly canMove?: boolean;
    readonly leaves?: (row: Row) => boolean;
  },
): readonly Row[] {
  if (changes.size === 0) return rows;
  const laid = [...rows];
  const order = on.canMove ? [...rows] : laid;
  for (const [id, change] of changes) {
    if (change.kind === 'gone' || (!change.fits && on.leaves?.(change.row))) {
      remove(laid, id);
      if (order !== laid) remove(order, id);
      continue;
    }
    const own = on.canMove ? laid.findIndex((row) => row.id === id) : -1;
    const position = own >= 0 ? own : positionOf(order, change.row, on.isBefore);
    if (laid[position]?.id === id) laid[position] = newest(laid[position], change.row);
    else if (change.fits && (position < laid.length || on.isWhole)) {
      laid.splice(position, 0, change.row);
      if (order !== laid) order.splice(position, 0, change.row);
    }
  }
  return laid;
}

/** The rows of pages that were read one after the other, each once: one that moved meanwhile comes on two of them. */
export function eachOnce<Row extends Listed>(rows: readonly Row[]): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function remove(rows: Listed[], id: string): void {
  const index = rows.findIndex((row) => row.id === id);
  if (index >= 0) rows.splice(index, 1);
}

/** Returns the index of a row, or the one it would be inserted at. */
function positionOf<Row>(rows: readonly Row[], row: Row, isBefore: IsBefore<Row>): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(rows[middle] as Row, row)) low = middle + 1;
    else high = middle;
  }
  return low;
}
