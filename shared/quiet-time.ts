const HOUR_MS = 3_600_000;
/** Hour of the day at which a quiet night ends. */
const MORNING = 7;
/** A time that is further away comes from a clock that was wrong. */
const MAX_QUIET_MS = 36 * HOUR_MS;

/** Returns the ends that a person can choose for *Do not disturb*: in an hour, and 7 in the morning of the next day. */
export function quietEnds(now: Date): { readonly hour: Date; readonly morning: Date } {
  const morning = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING);
  return { hour: new Date(now.getTime() + HOUR_MS), morning };
}

/** Returns the end of *Do not disturb*, an ISO time, if it is on now; null otherwise. `now` in epoch ms. */
export function quietEnd(until: string | null, now: number): string | null {
  if (until === null) return null;
  const left = Date.parse(until) - now;
  return left > 0 && left <= MAX_QUIET_MS ? until : null;
}
