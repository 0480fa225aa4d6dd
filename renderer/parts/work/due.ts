/** Fields of an item that decide when it is due. Times are ISO 8601. */
export interface Due {
  readonly state: 'open' | 'acknowledged' | 'done';
  readonly due_at: string | null;
  /** The gateway's word. */
  readonly overdue: boolean;
}

/** Distance to the due time in whole minutes; `at` where the time of day is clearer. */
type DueTime =
  | { readonly kind: 'late' | 'in'; readonly minutes: number }
  | { readonly kind: 'now' | 'at' | 'done' };

const MINUTE_MS = 60_000;
/** From then on it is counted down. */
const SOON_MINUTES = 60;
/** The gateway looks every minute for what passed its due time. */
const JUST_DUE_MINUTES = -2;

/** Null for an item without a target. */
export function dueTime({ state, due_at, overdue }: Due, now: Date): DueTime | null {
  if (state === 'done') return { kind: 'done' };
  if (due_at === null) return null;
  const minutes = Math.ceil((Date.parse(due_at) - now.getTime()) / MINUTE_MS);
  if (overdue) return { kind: 'late', minutes: Math.max(1, -minutes) };
  if (state !== 'open') return { kind: 'at' };
  if (minutes > 0) return minutes <= SOON_MINUTES ? { kind: 'in', minutes } : { kind: 'at' };
  // One that was acknowledged in time and is open again has met its due time.
  return { kind: minutes > JUST_DUE_MINUTES ? 'now' : 'at' };
}
