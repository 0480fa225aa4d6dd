import type { RoomEvent } from '../room.ts';

const MOST_EVENTS = 10_000;
/** Old events are dropped in such portions, so that dropping costs nothing. */
const PORTION = 1_000;

/** One event with its place; places count from 1. */
export type PlacedEvent = { readonly place: number } & RoomEvent;

/**
 * The newest events of this process. An id is the process's own word and a place: after a restart, or on another
 * gateway, ids of before mean nothing and are answered by a reset. `epoch` is letters and digits, different at every start.
 */
export function createEventRing(epoch: string, most = MOST_EVENTS): EventRing {
  return new EventRing(epoch, most);
}

export type { EventRing };

class EventRing {
  readonly #epoch: string;
  readonly #most: number;
  #events: PlacedEvent[] = [];
  #last = 0;
  #listeners = new Set<() => void>();

  constructor(epoch: string, most: number) {
    this.#epoch = epoch;
    this.#most = most;
  }

  /** The place of the newest event, 0 before the first. */
  get last(): number {
    return this.#last;
  }

  add(event: RoomEvent): void {
    this.#last += 1;
    this.#events.push({ place: this.#last, ...event });
    if (this.#events.length > this.#most + PORTION) this.#events = this.#events.slice(-this.#most);
    for (const listener of this.#listeners) listener();
  }

  /** Makes every position of before useless: too much happened to be told one by one. */
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

  idOf(place: number): string {
    return `${this.#epoch}-${place}`;
  }

  /** The place of an id, or null when nothing can be told from it. */
  placeOf(id: string): number | null {
    const [epoch, digits = ''] = id.split('-');
    if (epoch !== this.#epoch || !/^\d{1,15}$/u.test(digits)) return null;
    const place = Number(digits);
    return place <= this.#last && this.holdsAfter(place) ? place : null;
  }

  /** Whether every event after a place is still known. */
  holdsAfter(place: number): boolean {
    const first = this.#events[0]?.place ?? this.#last + 1;
    return place >= first - 1;
  }

  /** At most `limit` events after a place, oldest first. */
  after(place: number, limit: number): readonly PlacedEvent[] {
    const first = this.#events[0]?.place ?? 0;
    const from = Math.max(0, place - first + 1);
    return this.#events.slice(from, from + limit);
  }
}
