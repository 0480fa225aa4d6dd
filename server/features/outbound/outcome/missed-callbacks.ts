import type { Backend } from '../../../../shared/backends.ts';
import type { ReportProblem } from '../../../../shared/report-problems.ts';
import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { isoTime } from '../../../platform/clock.ts';
import { reportWarnings } from '../../routing/service.ts';
import type { OutboundParts } from '../parts.ts';
import { countMissed, markMissed } from '../store/callback-store.ts';

const SCAN_MS = 15 * 60_000;

/** Count of the outcomes that a provider did not report. */
export interface UnreportedOutcomes {
  readonly backend: Backend;
  readonly problem: ReportProblem;
  readonly count: number;
  /** ISO 8601 UTC. */
  readonly last_at: string;
}

/**
 * Marks, every quarter of an hour, the outcomes that became known only by polling although the provider had a callback
 * address. Also stores the counts of refused callbacks.
 */
export function defineMissedCallbacks(
  parts: Pick<OutboundParts, 'db' | 'queue' | 'clock' | 'logger' | 'reportProblems'>,
): Schedule {
  const { db, queue, clock, logger, reportProblems } = parts;
  return schedule({
    kind: 'fax.callbacks',
    everyMs: () => SCAN_MS,
    async run() {
      await reportProblems.flush();
      const endedBefore = isoTime(clock.now() - SCAN_MS);
      const missed = await db.transaction((tx) => markMissed(tx, { endedBefore }));
      if (missed > 0) logger.warn({ missed }, 'outcomes were found by asking, and no callback came');
    },
    db,
    queue,
    clock,
  });
}

/** Outcomes that no callback reported, by provider. */
export async function unreportedOutcomes({ db }: Pick<OutboundParts, 'db'>): Promise<UnreportedOutcomes[]> {
  const missed = await countMissed(db.read);
  return missed.map((found) => ({ ...found, problem: 'outcome_not_reported' }));
}

/** See `reportWarnings`. */
export async function callbackWarnings(parts: Pick<OutboundParts, 'db' | 'clock'>): Promise<string[]> {
  return reportWarnings(await unreportedOutcomes(parts), parts.clock.now());
}
