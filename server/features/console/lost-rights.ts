import { type Caller, hasLostAuthority } from '../access/service.ts';
import type { EventRing } from './event-ring.ts';

const MAX_CREDENTIALS = 2_000;

/** Caller of a credential as last seen, and the position of the event at which they had lost rights; 0 before that. */
interface Seen {
  readonly caller: Caller;
  readonly lostAt: number;
}

/**
 * Creates the record of the rights of listeners. Who lost some has to read everything again, however they listen: events
 * report what changed, not who may see it.
 */
export function createLostRights(ring: EventRing, maxCredentials = MAX_CREDENTIALS): LostRights {
  return new LostRights(ring, maxCredentials);
}

export type { LostRights };

class LostRights {
  readonly #ring: EventRing;
  readonly #maxCredentials: number;
  /** By credential, the one seen last at the end. */
  readonly #seen = new Map<string, Seen>();
  /** Position at which a credential was last dropped: nothing is known of callers who stand before it. */
  #droppedAt = 0;

  constructor(ring: EventRing, maxCredentials: number) {
    this.#ring = ring;
    this.#maxCredentials = maxCredentials;
  }

  /** Records the caller as they are now. */
  note(caller: Caller): void {
    const { id } = caller.credential;
    const before = this.#seen.get(id);
    const hasLost = before !== undefined && hasLostAuthority(before.caller, caller);
    this.#seen.delete(id);
    this.#seen.set(id, {
      caller,
      lostAt: hasLost ? this.#ring.advance() : (before?.lostAt ?? this.#droppedAt),
    });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size <= this.#maxCredentials || oldest === undefined) return;
    this.#seen.delete(oldest);
    this.#droppedAt = this.#ring.advance();
  }

  /** Returns true when the caller, who was noted, has lost rights since a position. */
  hasLostSince({ credential }: Caller, position: number): boolean {
    return position < (this.#seen.get(credential.id)?.lostAt ?? this.#droppedAt);
  }
}
