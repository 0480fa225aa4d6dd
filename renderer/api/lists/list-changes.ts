import { sessionMayHaveEnded } from '../queries.ts';
import type { Listed } from './list.ts';
import type { RowChange } from './row-order.ts';

/** Rows per request. */
const BATCH_SIZE = 100;
/** With more of them waiting the list is read again, which costs less. */
const MAX_WAITING = 400;
const RETRY_MS = 5_000;
const MAX_TRIES = 3;

let moment = 0;
/** Numbers reads as they begin and changes as they are requested, to order them. */
export const nextMoment = (): number => (moment += 1);

/** Dependencies of the changes of a list. */
interface ChangeParts<Row> {
  /** Of these rows those that fit the filter; or, without the filter, those that can be seen. */
  fetchRows(ids: readonly string[], underFilter: boolean): Promise<readonly Row[]>;
  /** Every row fits. */
  readonly isUnfiltered: boolean;
  /** Returns true when the row is shown, or may be among those being read. */
  mayBeListed(id: string): boolean;
  readAgain(): void;
  /** Called with the new version of a row, before the list shows it. */
  onChange(change: RowChange<Row> & { readonly kind: 'changed' }): void;
}

interface RecordedChange<Row> {
  readonly change: RowChange<Row>;
  /** Moment at which the row was requested. */
  readonly at: number;
}

/**
 * Keeps a list up to date, by the same rule for every list. An event names a row; the row is requested from the gateway
 * under the filter of the list, and the response is laid over the rows read before. Changes that a later read contains
 * anyway are dropped.
 */
export function createListChanges<Row extends Listed>(parts: ChangeParts<Row>): ListChanges<Row> {
  return new ListChanges<Row>(parts);
}

export type { ListChanges };

class ListChanges<Row extends Listed> {
  readonly #parts: ChangeParts<Row>;
  readonly #waiting = new Set<string>();
  #changes = new Map<string, RecordedChange<Row>>();
  #isFetching = false;
  #isClosed = false;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #version = 0;
  readonly #listeners = new Set<() => void>();

  constructor(parts: ChangeParts<Row>) {
    this.#parts = parts;
  }

  /** A row changed, came or went. */
  queueRow(id: string): void {
    this.#waiting.add(id);
    if (this.#waiting.size > MAX_WAITING) this.#giveUp();
    else if (this.#timer === undefined) void this.#fetchQueued();
  }

  /** Returns the changes that are newer than a read that began at this moment. */
  since(began: number): ReadonlyMap<string, RowChange<Row>> {
    const newer = [...this.#changes].filter(([, { at }]) => at > began);
    if (newer.length < this.#changes.size) this.#changes = new Map(newer);
    return new Map(newer.map(([id, { change }]) => [id, change]));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  /** Ends what waits; `open` goes on. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  open(): void {
    this.#isClosed = false;
  }

  /** Sends one request at a time: rows that change meanwhile go into the next one. */
  async #fetchQueued(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    while (this.#waiting.size > 0 && !this.#isClosed) {
      const ids = [...this.#waiting].slice(0, BATCH_SIZE);
      for (const id of ids) this.#waiting.delete(id);
      try {
        await this.#fetchBatch(ids);
        this.#tries = 0;
      } catch (error) {
        this.#handleFailure(ids, error);
        break;
      }
    }
    this.#isFetching = false;
  }

  async #fetchBatch(ids: readonly string[]): Promise<void> {
    const at = nextMoment();
    const { fetchRows, isUnfiltered, mayBeListed } = this.#parts;
    const fitting = await fetchRows(ids, true);
    const others = ids.filter((id) => !fitting.some((row) => row.id === id) && mayBeListed(id));
    const seen = isUnfiltered || others.length === 0 ? [] : await fetchRows(others, false);
    for (const row of fitting) this.#record(row.id, at, { kind: 'changed', row, fits: true });
    for (const id of others) {
      const row = seen.find((it) => it.id === id);
      this.#record(id, at, row ? { kind: 'changed', row, fits: false } : { kind: 'gone' });
    }
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }

  #record(id: string, at: number, change: RowChange<Row>): void {
    if (change.kind === 'changed') this.#parts.onChange(change);
    this.#changes.set(id, { change, at });
  }

  /**
   * Retries when the gateway is busy. When it is away, the stream later reports that everything has to be read again.
   */
  #handleFailure(ids: readonly string[], error: unknown): void {
    sessionMayHaveEnded(error);
    this.#tries += 1;
    if (this.#tries >= MAX_TRIES) return this.#giveUp();
    for (const id of ids) this.#waiting.add(id);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#fetchQueued();
    }, RETRY_MS);
  }

  #giveUp(): void {
    this.#tries = 0;
    this.#waiting.clear();
    this.#parts.readAgain();
  }
}
