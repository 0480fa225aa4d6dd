/** The only source of time for rooms; tests pass a manual one. Epoch milliseconds. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601 UTC with milliseconds and `Z`, the one form in which times are stored and answered. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Epoch milliseconds of a stored time. */
export function epochOf(iso: string): number {
  return Date.parse(iso);
}

/** A time with any offset, as callers give it, in the form in which times are stored; none stays none. */
export function storedTime(given: string | undefined): string | undefined {
  return given === undefined ? undefined : isoTime(epochOf(given));
}
