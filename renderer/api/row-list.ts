import { queryClient } from './queries.ts';

/** Small enough to be read between two pictures while somebody scrolls. */
const PAGE = 60;
/** Who jumped far sees no rows until they are here, so they come in the largest steps. */
const LARGE_PAGE = 200;

let pagesRead = 0;

/** By these a row has its place. */
export interface Placed {
  readonly id: string;
  readonly created_at: string;
}

export interface RowPage<Row> {
  readonly items: readonly Row[];
  readonly next_cursor: string | null;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/** Reads one page at the gateway. */
export type ReadPage<Row> = (request: PageRequest, signal: AbortSignal) => Promise<RowPage<Row>>;

/**
 * The rows of one filter, newest first, page after page from the top. Rows keep their place: a change is laid over its
 * row, and one that is new comes where it belongs.
 */
export class RowList<Row extends Placed> {
  readonly #read: ReadPage<Row>;
  #rows: Row[] = [];
  readonly #byId = new Map<string, Row>();
  #cursor: string | null = null;
  #isLoading = false;
  #wanted = 0;
  #version = 0;
  #problem: unknown = null;
  readonly #listeners = new Set<() => void>();

  private constructor(read: ReadPage<Row>) {
    this.#read = read;
  }

  /** With its first page. Rejects like a request. */
  static async open<Row extends Placed>(read: ReadPage<Row>): Promise<RowList<Row>> {
    const list = new RowList(read);
    await list.#load(PAGE);
    return list;
  }

  /** Rows that are here. */
  get size(): number {
    return this.#rows.length;
  }

  get isWhole(): boolean {
    return this.#cursor === null;
  }

  /** Of those that are here. */
  some(holds: (row: Row) => boolean): boolean {
    return this.#rows.some(holds);
  }

  /** Why the next page did not come; null while all is well. */
  get problem(): unknown {
    return this.#problem;
  }

  at(index: number): Row | undefined {
    return this.#rows[index];
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  find(id: string): Row | undefined {
    return this.#byId.get(id);
  }

  indexOf(id: string): number | null {
    const row = this.#byId.get(id);
    return row ? this.#placeOf(row) : null;
  }

  /** Loads on until this row is here. The last wish counts: who scrolled back needs less. */
  want(index: number): void {
    this.#wanted = index;
    if (!this.#isLoading && this.#problem === null) void this.#loadOn();
  }

  tryAgain(): void {
    this.#problem = null;
    this.want(this.#wanted);
    this.#changed();
  }

  /** Lays a changed one over its row. Returns false when it has none. */
  update(row: Row): boolean {
    if (!this.#byId.has(row.id)) return false;
    this.#rows[this.#placeOf(row)] = row;
    this.#byId.set(row.id, row);
    this.#changed();
    return true;
  }

  /** Puts a row in where it belongs. Returns its index, or null when that part of the list is not here yet. */
  insert(row: Row): number | null {
    const index = this.#placeOf(row);
    if (index === this.#rows.length && !this.isWhole) return null;
    this.#rows.splice(index, 0, row);
    this.#byId.set(row.id, row);
    this.#changed();
    return index;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  async #loadOn(): Promise<void> {
    this.#isLoading = true;
    try {
      while (this.#wanted >= this.#rows.length && !this.isWhole) {
        const isFar = this.#wanted - this.#rows.length > LARGE_PAGE;
        await this.#load(isFar ? LARGE_PAGE : PAGE);
      }
    } catch (error) {
      this.#problem = error;
      this.#changed();
    } finally {
      this.#isLoading = false;
    }
  }

  async #load(limit: number): Promise<void> {
    const request = { limit, ...(this.#cursor !== null && { cursor: this.#cursor }) };
    const page = await queryClient.fetchQuery({
      // Of no use to anybody else, so never the same twice.
      queryKey: ['row-page', (pagesRead += 1)],
      queryFn: ({ signal }) => this.#read(request, signal),
      gcTime: 0,
      staleTime: 0,
      structuralSharing: false,
    });
    for (const row of page.items) {
      // One that came in meanwhile may stand on this page too.
      if (this.#byId.has(row.id)) continue;
      this.#rows.push(row);
      this.#byId.set(row.id, row);
    }
    this.#cursor = page.next_cursor;
    this.#changed();
  }

  /** Where a row stands, or would stand: by time, then by id, newest first. */
  #placeOf({ created_at, id }: Row): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = this.#rows[middle] as Row;
      const isNewer = row.created_at > created_at || (row.created_at === created_at && row.id > id);
      if (isNewer) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
