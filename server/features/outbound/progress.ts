import type { CallProgress } from '../../../shared/fax-transport.ts';
import type { AttemptRow } from './types.ts';

/** Every fax of a call is as far as the call. */
type InCall = Pick<AttemptRow, 'id' | 'call_id'>;

/** How far the calls are that go on, in memory. */
export interface Progress {
  /** Of the whole call; null for one that does not go on, or of which nothing is known. */
  of(attempt: InCall): CallProgress | null;
  /** Whether it is another one than before. */
  note(attempt: InCall, progress: CallProgress | null): boolean;
}

export function createProgress(): Progress {
  const known = new Map<string, CallProgress>();
  const keyOf = ({ id, call_id }: InCall) => call_id ?? id;
  return {
    of: (attempt) => known.get(keyOf(attempt)) ?? null,
    note(attempt, progress) {
      const key = keyOf(attempt);
      const before = known.get(key) ?? null;
      if (progress === null) known.delete(key);
      else known.set(key, progress);
      return JSON.stringify(before) !== JSON.stringify(progress);
    },
  };
}

/**
 * What the progress of a call is for one of its faxes, of which the document has `pages`. One whose pages come later has only been
 * answered; of one whose pages are over the last is shown.
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
