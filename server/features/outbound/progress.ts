import type { CallProgress } from './transport-port.ts';
import type { AttemptRow } from './types.ts';

/** Every fax of a call is as far as the call. */
type InCall = Pick<AttemptRow, 'id' | 'call_id'>;

/** Progress of the calls under way, kept in memory. */
export interface Progress {
  /** Returns the progress of the whole call; null when it has ended or nothing is known of it. */
  get(attempt: InCall): CallProgress | null;
  /** Stores the progress of a call. Returns true when it changed. */
  record(attempt: InCall, progress: CallProgress | null): boolean;
}

export function createProgress(): Progress {
  const known = new Map<string, CallProgress>();
  const keyOf = ({ id, call_id }: InCall) => call_id ?? id;
  return {
    get: (attempt) => known.get(keyOf(attempt)) ?? null,
    record(attempt, progress) {
      const key = keyOf(attempt);
      const before = known.get(key) ?? null;
      if (progress === null) known.delete(key);
      else known.set(key, progress);
      return JSON.stringify(before) !== JSON.stringify(progress);
    },
  };
}

/**
 * Returns the progress of a call for one of its faxes, whose document has `pages`. While its pages have yet to come,
 * the stage is `answered`; once they are over, its last page is shown.
 */
export function shareOfProgress(
  progress: CallProgress | null,
  { call_first_page: first }: Pick<AttemptRow, 'call_first_page'>,
  pages: number,
): CallProgress | null {
  if (progress === null || progress.page === null) return progress;
  const page = Math.min(progress.page - (first ?? 1) + 1, pages);
  return page >= 1 ? { ...progress, page } : { ...progress, stage: 'answered', page: null, rateBps: null };
}
