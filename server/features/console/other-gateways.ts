import { pastId } from '../../platform/ids.ts';
import type { Change } from '../room.ts';
import type { EventRing } from './event-ring.ts';

interface OtherGatewaysParts {
  readonly ring: EventRing;
  /** Lists the changes with an entry after that ID, at most `limit`. */
  readonly changedSince: (entryId: string, limit: number) => Promise<Change[]>;
}

/**
 * Maximum difference between the clocks of two gateways, and maximum time of a transaction from its entry to its
 * commit.
 */
const OVERLAP_MS = 60_000;
/** Maximum changes at once that are published one by one. */
const MAX_CHANGES = 5_000;

/**
 * Finds the commits of other gateways on the same database: entries of a room since the last check, by any gateway,
 * less those already published.
 */
export function createOtherGateways(parts: OtherGatewaysParts): OtherGateways {
  return new OtherGateways(parts);
}

export type { OtherGateways };

class OtherGateways {
  readonly #parts: OtherGatewaysParts;
  /** Published versions of the items changed since the last check. */
  #known = new Map<string, number>();
  #since: string | null = null;
  #polling: Promise<void> | null = null;
  #nextPoll: Promise<void> | null = null;

  constructor(parts: OtherGatewaysParts) {
    this.#parts = parts;
  }

  /** Records a change of this process, which publishes it itself. */
  recordPublished({ id, version }: Pick<Change, 'id' | 'version'>): void {
    this.#known.set(id, Math.max(version, this.#known.get(id) ?? 0));
  }

  /** Publishes the commits made before the call. The first check only reads the present position. */
  poll(): Promise<void> {
    if (!this.#polling) return this.#begin();
    // The check under way may have begun before the caller's change: all callers that come now share the next.
    this.#nextPoll ??= this.#polling
      .catch(() => undefined)
      .then(() => {
        this.#nextPoll = null;
        return this.#polling ?? this.#begin();
      });
    return this.#nextPoll;
  }

  #begin(): Promise<void> {
    this.#polling = this.#poll().finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  async #poll(): Promise<void> {
    const { ring } = this.#parts;
    const isFirst = this.#since === null;
    const next = pastId(OVERLAP_MS);
    const before = this.#known;
    this.#known = new Map();
    const changed = await this.#parts
      .changedSince(this.#since ?? next, MAX_CHANGES)
      .catch((error: unknown) => {
        this.#known = new Map([...before, ...this.#known]);
        throw error;
      });
    for (const change of changed) {
      const version = Math.max(before.get(change.id) ?? 0, this.#known.get(change.id) ?? 0);
      const isNew = change.version > version;
      this.recordPublished({ id: change.id, version });
      this.recordPublished(change);
      if (isNew && !isFirst && changed.length < MAX_CHANGES) ring.add(change.event);
    }
    const isTooMuch = changed.length === MAX_CHANGES;
    if (isTooMuch) ring.forget();
    // Otherwise the same changes would be found again until the overlap is over.
    this.#since = isTooMuch ? pastId(0) : next;
  }
}
