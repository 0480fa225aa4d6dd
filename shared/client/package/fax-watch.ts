import { ApiError } from '../errors.ts';
import { type Connection, mayPass } from './connection.ts';
import type { FaxJob } from './contract.ts';
import { WaitTimeoutError } from './errors.ts';
import { readEvents } from './event-stream.ts';
import type { WaitOptions } from './options.ts';
import type { Page } from './pages.ts';
import { pause, reasonOf } from './pause.ts';
import { ROUTES } from './routes.ts';

const FINAL: readonly FaxJob['delivery_state'][] = ['success', 'failed', 'cancelled'];
/** While changes are announced by events, faxes are still read now and then. */
const POLL_MS = { withEvents: 30_000, first: 1_000, most: 5_000 } as const;
/** Faxes of one request. */
const TOGETHER = 100;
/** So long the gateway may be away before waiting ends with its error. */
const AWAY_MS = 120_000;
const EVENTS_AGAIN_MS = { most: 60_000, first: 1_000 } as const;

interface Waiter {
  readonly options: WaitOptions;
  readonly resolve: (fax: FaxJob) => void;
  readonly reject: (error: unknown) => void;
  last: FaxJob | null;
}

/**
 * Watches all faxes that a program waits for: one stream of events, and one request for up to a hundred faxes that are
 * due. Without events they are read every few seconds.
 */
class FaxWatch {
  readonly #connection: Connection;
  readonly #waiters = new Map<string, Set<Waiter>>();
  /** Faxes to be read next. */
  readonly #due = new Set<string>();
  #wake: AbortController | null = null;
  #isRunning = false;
  #hasEvents = false;
  /** Time of the first of the reads in a row that failed; null after one that succeeded. */
  #awaySince: number | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async wait(id: string, options: WaitOptions): Promise<FaxJob> {
    const { signal, timeoutMs } = options;
    if (signal?.aborted) throw reasonOf(signal);
    const { promise, waiter } = newWaiter(options);
    const own = this.#waiters.get(id) ?? new Set();
    this.#waiters.set(id, own.add(waiter));
    const stop = () => waiter.reject(reasonOf(signal));
    signal?.addEventListener('abort', stop, { once: true });
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => waiter.reject(new WaitTimeoutError(id, waiter.last)), timeoutMs);
    this.#markDue([id]);
    if (!this.#isRunning) void this.#run();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      own.delete(waiter);
      if (own.size === 0) this.#waiters.delete(id);
      if (this.#waiters.size === 0) this.#wake?.abort();
    }
  }

  #markDue(ids: Iterable<string>): void {
    for (const id of ids) if (this.#waiters.has(id)) this.#due.add(id);
    if (this.#due.size > 0) this.#wake?.abort();
  }

  /** Ends when nobody waits any more. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    const ended = new AbortController();
    void this.#listen(ended.signal);
    let pollMs: number = POLL_MS.first;
    while (this.#waiters.size > 0) {
      const retryMs = await this.#readDue();
      if (this.#waiters.size === 0) break;
      const isDue = await this.#sleep(retryMs ?? (this.#hasEvents ? POLL_MS.withEvents : pollMs));
      if (isDue) continue;
      pollMs = Math.min(POLL_MS.most, pollMs + 1_000);
      for (const id of this.#waiters.keys()) this.#due.add(id);
    }
    ended.abort();
    this.#isRunning = false;
    this.#awaySince = null;
  }

  /** Returns true when it was woken, because faxes are due or nobody waits any more. */
  async #sleep(ms: number): Promise<boolean> {
    this.#wake = new AbortController();
    try {
      await pause(ms, this.#wake.signal);
      return false;
    } catch {
      return true;
    } finally {
      this.#wake = null;
    }
  }

  /** Reads the faxes that are due. Returns the pause in ms before the next try, or null when all were read. */
  async #readDue(): Promise<number | null> {
    while (this.#due.size > 0) {
      const ids = [...this.#due].filter((id) => this.#waiters.has(id)).slice(0, TOGETHER);
      this.#due.clear();
      try {
        await this.#read(ids);
        this.#awaySince = null;
      } catch (error) {
        this.#awaySince ??= performance.now();
        if (!mayPass(error) || performance.now() - this.#awaySince > AWAY_MS)
          this.#reject(this.#waiters.keys(), error);
        const seconds = error instanceof ApiError ? error.retryAfter : null;
        for (const id of ids) this.#due.add(id);
        return seconds === null ? POLL_MS.first * 2 : seconds * 1_000;
      }
    }
    return null;
  }

  async #read(ids: readonly string[]): Promise<void> {
    const query = { ids, limit: TOGETHER };
    const found =
      ids.length > 1
        ? (await this.#connection.read<Page<FaxJob>>(ROUTES.listFaxes, { query, retries: 0 })).items
        : [];
    for (const fax of found) this.#settle(fax);
    // Of a fax that is missing in the list, its own request has the reason.
    for (const id of ids.filter((each) => !found.some((fax) => fax.id === each))) await this.#readOne(id);
  }

  async #readOne(id: string): Promise<void> {
    try {
      this.#settle(await this.#connection.read<FaxJob>(ROUTES.getFax, { params: { id }, retries: 0 }));
    } catch (error) {
      if (mayPass(error)) throw error;
      this.#reject([id], error);
    }
  }

  #settle(fax: FaxJob): void {
    for (const waiter of this.#waiters.get(fax.id) ?? []) {
      const hasChanged = waiter.last?.delivery_version !== fax.delivery_version;
      waiter.last = fax;
      try {
        if (hasChanged) waiter.options.onChange?.(fax);
        if (isEnd(fax, waiter.options)) waiter.resolve(fax);
      } catch (error) {
        waiter.reject(error);
      }
    }
  }

  #reject(ids: Iterable<string>, error: unknown): void {
    for (const id of ids) for (const waiter of this.#waiters.get(id) ?? []) waiter.reject(error);
  }

  /** Listens to events until the signal is aborted, and marks the faxes that they name. */
  async #listen(signal: AbortSignal): Promise<void> {
    let after: string | undefined;
    for (let failed = 0; !signal.aborted; failed += 1) {
      try {
        for await (const { kind, id, data } of readEvents(this.#connection, { after, signal })) {
          failed = 0;
          // Faxes may have changed before the stream began.
          if (!this.#hasEvents || kind === 'reset') this.#markDue(this.#waiters.keys());
          this.#hasEvents = true;
          after = id ?? after;
          if (kind === 'fax.changed') this.#markDue([(data as { id: string }).id]);
        }
      } catch {
        // Polling goes on without events.
      }
      this.#hasEvents = false;
      await pause(Math.min(EVENTS_AGAIN_MS.most, EVENTS_AGAIN_MS.first * 2 ** failed), signal).catch(
        () => undefined,
      );
    }
  }
}

export const createFaxWatch = (connection: Connection) => new FaxWatch(connection);

export type { FaxWatch };

function newWaiter(options: WaitOptions): { promise: Promise<FaxJob>; waiter: Waiter } {
  let resolve: Waiter['resolve'] = () => undefined;
  let reject: Waiter['reject'] = () => undefined;
  const promise = new Promise<FaxJob>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, waiter: { options, resolve, reject, last: null } };
}

const isEnd = ({ delivery_state: state }: FaxJob, { untilDecided }: WaitOptions): boolean =>
  FINAL.includes(state) || (state === 'reconciliation_required' && untilDecided !== true);
