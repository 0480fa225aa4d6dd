import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { newId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import { createRecentCache, type Recent } from '../../platform/memoize.ts';
import type { Seal } from '../../platform/seal.ts';
import { chainCounts, hasUnchained, sealChainEnd } from './store/chain-store.ts';
import { countSecurityEvents, type NewEntry } from './store/event-store.ts';
import type { SecurityEvent } from './types.ts';

/** Maximum time that a count waits in memory; the first of an hour does not wait. */
const FLUSH_MS = 5_000;
/** Interval at which counts of past hours are fixed. */
const FIX_MS = 5 * 60_000;
const FIX_BATCH_SIZE = 200;
/**
 * Maximum records kept in memory: of those that wait while the store cannot be written, and of those already stored.
 */
const MAX_RECORDS = 10_000;

interface CountedParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Seals the end of the chain. */
  readonly seal: Seal;
}

/**
 * Creates the counting part of the security audit: equal events (actor, credential, operation, target, outcome,
 * details) of one hour, in UTC, are one record with a count. It keeps the request and the policy version of the first.
 * The chain contains the record as first written and, when the hour is over or the gateway stops, its final count.
 */
export function createCountedEvents(parts: CountedParts): CountedEvents {
  return new CountedEvents(parts);
}

export type { CountedEvents };

class CountedEvents {
  readonly #parts: CountedParts;
  #waiting = new Map<string, NewEntry>();
  readonly #stored: Recent<true> = createRecentCache(MAX_RECORDS);
  #flushing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #fixing: NodeJS.Timeout | null = null;
  /** Since when nothing could be written, and how many counts found no room in memory since. */
  #failure: { readonly since: string; lost: number } | null = null;

  constructor(parts: CountedParts) {
    this.#parts = parts;
  }

  /**
   * Counts an event. It resolves after its record is in the store, so that the first of an hour is durable before the
   * answer; later ones are only counted in memory and written within seconds. When the store cannot be written it
   * resolves as well and the count waits for the store, since a failed record must not keep a person from a fax; with
   * `isRequired` it throws and counts nothing.
   */
  async count(event: SecurityEvent, { isRequired = false } = {}): Promise<void> {
    const key = this.#add(event);
    if (this.#stored.get(key) || (this.#failure !== null && !isRequired)) {
      this.#plan();
      return;
    }
    try {
      await this.flush();
    } catch (error) {
      if (!isRequired) return;
      this.#removeCount(key);
      throw error;
    }
  }

  /** Writes the counts so far. Throws the errors of the store; then it is written with the next flush. */
  flush(): Promise<void> {
    const flushed = this.#flushing.then(() => this.#write());
    this.#flushing = flushed.catch(() => undefined);
    return flushed;
  }

  /** Fixes the counts of past hours, from now on at intervals. Counts of an earlier run may be among them. */
  async start(): Promise<void> {
    this.#fixing ??= setInterval(() => void this.fix().catch(() => undefined), FIX_MS).unref();
    await this.fix();
    await this.#parts.db.transaction((tx) => sealChainEnd(tx, this.#parts.seal));
  }

  /**
   * Writes the counts so far and adds the counts of the hours that are over to the chain of records; with `all` those
   * of the present hour as well. Throws the errors of the store.
   */
  async fix({ all = false } = {}): Promise<void> {
    await this.flush();
    const { db, clock, seal } = this.#parts;
    const now = isoTime(clock.now());
    const before = all ? isoTime(clock.now() + 1) : `${now.slice(0, 13)}:00:00.000Z`;
    const most = { before, limit: FIX_BATCH_SIZE };
    while (await hasUnchained(db.read, before)) await db.transaction((tx) => chainCounts(tx, seal, most));
  }

  /** Writes the remaining counts; afterwards nothing is planned. */
  async stop(): Promise<void> {
    if (this.#fixing) clearInterval(this.#fixing);
    await this.fix({ all: true }).catch(() => undefined);
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** While the store cannot be written: a sentence. */
  warnings(): string[] {
    if (this.#failure === null) return [];
    const { since, lost } = this.#failure;
    const waiting = `${this.#waiting.size} records wait in memory and will be written as soon as possible.`;
    const gone = lost === 0 ? '' : ` There was no room for ${lost} more, which are lost.`;
    return [
      `The security audit has not been written since ${since.slice(0, 16).replace('T', ' ')} UTC: ${waiting}${gone}`,
    ];
  }

  #add(event: SecurityEvent): string {
    const now = isoTime(this.#parts.clock.now());
    const key = keyOf(event, now);
    const waiting = this.#waiting.get(key);
    if (waiting) this.#waiting.set(key, { ...waiting, count: waiting.count + 1, lastAt: now });
    else if (this.#waiting.size < MAX_RECORDS)
      this.#waiting.set(key, {
        ...event,
        id: newId(),
        occurredAt: now,
        lastAt: now,
        count: 1,
        details: event.details ?? {},
      });
    else if (this.#failure) this.#failure.lost += 1;
    return key;
  }

  #removeCount(key: string): void {
    const waiting = this.#waiting.get(key);
    if (!waiting) return;
    if (waiting.count > 1) this.#waiting.set(key, { ...waiting, count: waiting.count - 1 });
    else this.#waiting.delete(key);
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const due = this.#waiting;
    this.#waiting = new Map();
    // Sorts the rows, so that two gateways that write the same ones do not wait for each other.
    const rows = [...due].sort(([a], [b]) => (a < b ? -1 : 1));
    try {
      await this.#parts.db.transaction((tx) => countSecurityEvents(tx, rows, this.#parts.seal));
    } catch (error) {
      this.#waiting = mergeEntries(due, this.#waiting);
      this.#failed(error);
      throw error;
    }
    this.#failure = null;
    for (const [key] of rows) this.#stored.set(key, true);
  }

  #failed(error: unknown): void {
    if (this.#failure === null) {
      this.#parts.logger.error({ error }, 'the security audit cannot be written; its records wait in memory');
      this.#failure = { since: isoTime(this.#parts.clock.now()), lost: 0 };
    }
    this.#plan();
  }

  #plan(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.flush().catch(() => undefined);
    }, FLUSH_MS).unref();
  }
}

/** The same for events that are counted as one. */
function keyOf(event: SecurityEvent, now: string): string {
  const { actor, credentialKind, operation, outcome, target, details = {} } = event;
  const hour = now.slice(0, 13);
  return sha256Hex(
    JSON.stringify([hour, actor.id, credentialKind, operation, outcome, target.kind, target.id, details]),
  );
}

function mergeEntries(
  older: ReadonlyMap<string, NewEntry>,
  newer: ReadonlyMap<string, NewEntry>,
): Map<string, NewEntry> {
  const all = new Map(older);
  for (const [key, entry] of newer) {
    const before = all.get(key);
    all.set(key, before ? { ...before, count: before.count + entry.count, lastAt: entry.lastAt } : entry);
  }
  return all;
}
