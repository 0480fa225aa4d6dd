import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Caller } from '../access/service.ts';

/** Delay with which a fax may become visible after its time: transactions take time, and clocks differ. */
const MARGIN_MS = 3_600_000;
/** Another gateway on the same store may have changed something. */
const FRESH_MS = 60_000;
const MAX_READERS = 1_000;
const MAX_OLDER = 2_000;

interface UnreadFax {
  readonly received_at: string;
  readonly id: string;
}

/** Range that can contain unread faxes: at `oldestUnread` and later, and among `older`. */
interface UnreadRange {
  /** A stored time. */
  readonly oldestUnread: string;
  readonly older: readonly string[];
}

/**
 * Caches in memory the range of each reader's unread faxes, from the last full count. Without it, a million read faxes
 * would be scanned for the few unread ones.
 */
export function createUnreadIndex(clock: Clock, isSoleProcess: boolean): UnreadIndex {
  return new UnreadIndex(clock, isSoleProcess);
}

export type { UnreadIndex };

class UnreadIndex {
  readonly #clock: Clock;
  readonly #isSole: boolean;
  readonly #known = new Map<
    string,
    { principalId: string; oldestUnread: string; older: Set<string>; at: number }
  >();

  constructor(clock: Clock, isSoleProcess: boolean) {
    this.#clock = clock;
    this.#isSole = isSoleProcess;
  }

  /** Returns the range for a reader; undefined when none is cached. */
  rangeOf(reader: Caller): UnreadRange | undefined {
    const known = this.#known.get(keyOf(reader));
    if (!known) return undefined;
    const age = this.#clock.now() - known.at;
    const isFresh = this.#isSole || (age >= 0 && age < FRESH_MS);
    return isFresh ? { oldestUnread: known.oldestUnread, older: [...known.older] } : undefined;
  }

  /** Stores the range of a reader from a full count: `unread` are all of their unread faxes. */
  store(reader: Caller, unread: readonly UnreadFax[]): void {
    const at = this.#clock.now();
    const oldestUnread = isoTime(at - MARGIN_MS);
    const older = new Set(unread.filter((fax) => fax.received_at < oldestUnread).map(({ id }) => id));
    if (this.#known.size >= MAX_READERS) this.#known.clear();
    this.#known.set(keyOf(reader), { principalId: reader.principal.id, oldestUnread, older, at });
  }

  /** Adds a fax that became unread for everybody: its document came, perhaps late. */
  add(fax: UnreadFax): void {
    for (const [key, known] of this.#known) {
      if (fax.received_at < known.oldestUnread) known.older.add(fax.id);
      if (known.older.size > MAX_OLDER) this.#known.delete(key);
    }
  }

  /** Removes the cached range of a person who marked a fax as unread; null: of everyone. */
  forget(principalId: string | null): void {
    if (principalId === null) this.#known.clear();
    for (const [key, known] of this.#known) if (known.principalId === principalId) this.#known.delete(key);
  }
}

/** Returns a key of all that decides visibility: with another grant or key, old faxes may become visible. */
function keyOf({ principal, credential, policyVersion }: Caller): string {
  return `${principal.id} ${credential.id} ${policyVersion}`;
}
