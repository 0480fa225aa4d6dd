import { newest } from '../newer.ts';
import type { Listed } from './list.ts';

/** Returns true when a row precedes another one in the list. */
export type IsBefore<Row> = (row: Row, other: Row) => boolean;

interface Timed extends Listed {
  readonly created_at: string;
}

/** Orders rows by time, then by id, newest first, as both lists of faxes are. */
export const newestFirst: IsBefore<Timed> = (row, other) =>
  row.created_at > other.created_at || (row.created_at === other.created_at && row.id > other.id);

/** Change of a row since its list was read. */
export type RowChange<Row> =
  /** The row was removed, or may not be seen any more. */
  | { readonly kind: 'gone' }
  /** Present version of the row. `fits` is true when the gateway lists it under the filter. */
  | { readonly kind: 'changed'; readonly row: Row; readonly fits: boolean };

/**
 * Returns the rows with the changes applied. A listed row keeps its position even when it no longer fits, unless it
 * `leaves`; a new row that fits is inserted in order, unless that part of the list was not read yet (`isWhole` is false).
 * The newer version of a row is kept, whether it was read or came as a change. Where a change could move a row
 * (`canMove`), positions are found by the versions that were read.
 */
export function applyChanges<Row extends Listed>(
  rows: readonly Row[],
  changes: ReadonlyMap<string, RowChange<Row>>,
  options: {
    readonly isBefore: IsBefore<Row>;
    readonly isWhole: boolean;
    readonly canMove?: boolean;
    readonly leaves?: (row: Row) => boolean;
  },
): readonly Row[] {
  if (changes.size === 0) return rows;
  const { isBefore, isWhole, canMove, leaves } = options;
  const changed = [...rows];
  const asRead = canMove ? [...rows] : changed;
  for (const [id, change] of changes) {
    if (change.kind === 'gone' || (!change.fits && leaves?.(change.row))) {
      remove(changed, id);
      if (asRead !== changed) remove(asRead, id);
      continue;
    }
    const listed = canMove ? changed.findIndex((row) => row.id === id) : -1;
    const position = listed >= 0 ? listed : positionOf(asRead, change.row, isBefore);
    if (changed[position]?.id === id) changed[position] = newest(changed[position], change.row);
    else if (change.fits && (position < changed.length || isWhole)) {
      changed.splice(position, 0, change.row);
      if (asRead !== changed) asRead.splice(position, 0, change.row);
    }
  }
  return changed;
}

/** Removes repeated rows: a row that moved between two reads is on two pages of the list. */
export function withoutRepeats<Row extends Listed>(rows: readonly Row[]): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function remove(rows: Listed[], id: string): void {
  const index = rows.findIndex((row) => row.id === id);
  if (index >= 0) rows.splice(index, 1);
}

/** Returns the index of the row, or the index to insert it at. */
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
