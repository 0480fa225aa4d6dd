/** A row of any list. */
export interface Listed {
  readonly id: string;
}

/** One page as the gateway answers it. */
export interface ListPage<Row> {
  readonly items: readonly Row[];
  readonly next_cursor: string | null;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/** A list as far as it was read, in its order, with the changes of its rows since. */
export interface List<Row extends Listed> {
  /** Another one for every filter. While the first page of a filter is on its way, still that of the one before. */
  readonly name: string;
  readonly items: readonly Row[];
  at(index: number): Row | undefined;
  indexOf(id: string): number | null;
  /** Every row is here. */
  readonly isWhole: boolean;
  /** No row is here yet. */
  readonly isOpening: boolean;
  /** Another filter, or the same list once more, is on its way. */
  readonly isBusy: boolean;
  /** The next page is on its way. */
  readonly isLoadingMore: boolean;
  /** Error of the last read; null when it succeeded. */
  readonly error: unknown;
  readonly retry: () => void;
  /** Reads on until this row is here. The last wish counts: who scrolled back needs less. */
  readonly loadTo: (index: number) => void;
}
