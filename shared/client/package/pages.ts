/** A page of a list. */
export interface Page<T> {
  readonly items: T[];
  /** Position after the last item, for `cursor` of a later call; null after the last page. */
  readonly next_cursor: string | null;
}

/** Reads a list page by page. @internal */
export async function* pagesOf<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
  start: string | undefined,
): AsyncGenerator<Page<T>, void> {
  for (let cursor = start; ; ) {
    const page = await read(cursor);
    yield page;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

/** Returns the items of the pages, one after the other. @internal */
export async function* itemsOf<T>(pages: AsyncIterable<Page<T>>): AsyncGenerator<T, void> {
  for await (const { items } of pages) yield* items;
}
