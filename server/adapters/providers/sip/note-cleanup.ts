import type { AmiClient } from '../../../platform/ami/client.ts';
import { AmiError } from '../../../platform/ami/error.ts';
import type { Clock } from '../../../platform/clock.ts';
import { ANSWERED, BEGUN, listNotes, type Note, OUTCOME, removeNotes } from './notes.ts';

const DAY_MS = 24 * 60 * 60_000;
/** By then an outcome was read, or nobody asks for it. */
const MAX_AGE_MS = 30 * DAY_MS;

/** Returns those of these attempts whose outcome is still pending; null when that cannot be determined. */
export type ListPending = (attemptIds: readonly string[]) => Promise<ReadonlySet<string> | null>;

/**
 * Removes, once a day at most, an engine's records of attempts that are older than 30 days and were not removed, for
 * example because the engine was away while the outcome was recorded. Records of an attempt whose outcome is still
 * pending stay. An engine that cannot be queried keeps everything until another day.
 */
export function createNoteCleanup({
  clock,
  listPending,
}: {
  readonly clock: Clock;
  readonly listPending: ListPending;
}) {
  let lastAt: number | null = null;

  return async (client: AmiClient): Promise<void> => {
    const now = clock.now();
    if (lastAt !== null && now >= lastAt && now - lastAt < DAY_MS) return;
    lastAt = now;
    try {
      const old = oldAttempts(await listNotes(client), now);
      const open = old.length === 0 ? null : await listPending(old);
      if (open === null) return;
      for (const attemptId of old) if (!open.has(attemptId)) await removeNotes(client, attemptId);
    } catch (error) {
      if (!(error instanceof AmiError)) throw error;
    }
  };
}

/** Attempts of which everything that bears a time is old. Words alone were left behind. */
function oldAttempts(notes: readonly Note[], now: number): string[] {
  const newest = new Map<string, number>();
  for (const note of notes)
    newest.set(note.attemptId, Math.max(timeOf(note), newest.get(note.attemptId) ?? 0));
  return [...newest].flatMap(([attemptId, at]) => (now - at > MAX_AGE_MS ? attemptId : []));
}

/** Epoch milliseconds; 0 where it bears none. */
function timeOf({ family, value }: Note): number {
  const pattern = family === OUTCOME ? /(?:^|;)ended=(\d+)/u : /^(\d+)/u;
  const hasTime = family === OUTCOME || family === BEGUN || family === ANSWERED;
  return hasTime ? Number(pattern.exec(value)?.[1] ?? 0) * 1000 : 0;
}
