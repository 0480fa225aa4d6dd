import type { Clock } from '../../server/platform/clock.ts';

/** A clock that stands until a test moves it, also backwards. */
export class ManualClock implements Clock {
  #now: number;
  constructor(iso = '2026-11-21T09:00:00.000Z') {
    this.#now = Date.parse(iso);
  }
  now(): number {
    return this.#now;
  }
  advance(ms: number): void {
    this.#now += ms;
  }
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
