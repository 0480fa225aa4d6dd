import type { RoomEvent } from '../room.ts';

const MAX_EVENTS = 10_000;
/** Old events are dropped in such portions, so that dropping costs nothing. */
const PORTION = 1_000;

/** One event with its position; positions count from 1. */
export type NumberedEvent = { readonly position: number } & RoomEvent;

/**
 * Creates the ring of the newest events of this process. An ID is the process's own word and a position: after a
 * restart, or on another gateway, earlier IDs are invalid and lead to a reset. `epoch` is letters and digits, different
 * at every start.
 */
export function createEventRing(epoch: string, maxEvents = MAX_EVENTS): EventRing {
  return new EventRing(epoch, maxEvents);
}

export type { EventRing };

class EventRing {
  readonly #epoch: string;
  readonly #maxEvents: number;
  #events: NumberedEvent[] = [];
  #last = 0;
  #listeners = new Set<() => void>();

  constructor(epoch: string, maxEvents: number) {
    this.#epoch = epoch;
    this.#maxEvents = maxEvents;
  }

  /** The position of the newest event, 0 before the first. */
  get last(): number {
    return this.#last;
  }

  add(event: RoomEvent): void {
    this.#last += 1;
    this.#events.push({ position: this.#last, ...event });
    if (this.#events.length > this.#maxEvents + PORTION) this.#events = this.#events.slice(-this.#maxEvents);
    for (const listener of this.#listeners) listener();
  }

  /** Adds an event that nobody receives, so that a position before it differs from one after it. Returns its position. */
  advance(): number {
    this.add({ kind: 'installation.changed', data: {}, mayReceive: () => false });
    return this.#last;
  }

  /** Invalidates all earlier positions: too much happened to publish it one by one. */
  forget(): void {
    this.#last += 1;
    this.#events = [];
    for (const listener of this.#listeners) listener();
  }

  /** Called after every event; the answer ends that. */
  onAdded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  idOf(position: number): string {
    return `${this.#epoch}-${position}`;
  }

  /** Returns the position of an ID, or null when no events can be resumed from it. */
  positionOf(id: string): number | null {
    const [epoch, digits = ''] = id.split('-');
    if (epoch !== this.#epoch || !/^\d{1,15}$/u.test(digits)) return null;
    const position = Number(digits);
    return position <= this.#last && this.hasEventsAfter(position) ? position : null;
  }

  /** Returns true when every event after a position is still in the ring. */
  hasEventsAfter(position: number): boolean {
    const first = this.#events[0]?.position ?? this.#last + 1;
    return position >= first - 1;
  }

  /** At most `limit` events after a position, oldest first. */
  after(position: number, limit: number): readonly NumberedEvent[] {
    const first = this.#events[0]?.position ?? 0;
    const from = Math.max(0, position - first + 1);
    return this.#events.slice(from, from + limit);
  }
}
