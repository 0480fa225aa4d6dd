import { REPORT_PROBLEMS, type ReportProblem } from '../../../shared/report-problems.ts';
import type { Database, WriteTx } from '../../db/database.ts';
import { type Clock, epochOf, isoTime } from '../../platform/clock.ts';
import { addReports, listReports } from './store/report-store.ts';
import type { CountedReport } from './types.ts';

/** Older problems are still shown, but no longer warned about. */
const WARNED_MS = 24 * 3_600_000;

/**
 * Counts the problems with the reports of providers, by kind. Refusals are kept in memory until the next flush, so that
 * nobody can have the store written by sending forgeries.
 */
export function createReportProblems(db: Database, clock: Clock): ReportProblems {
  return new ReportProblems(db, clock);
}

export type { ReportProblems };

class ReportProblems {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #pending = new Map<string, CountedReport>();

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  refused(backend: string, problem: ReportProblem): void {
    const key = `${backend} ${problem}`;
    const count = (this.#pending.get(key)?.count ?? 0) + 1;
    this.#pending.set(key, { backend, problem, count, last_at: isoTime(this.#clock.now()) });
  }

  /** Counts a missing notification, in the transaction that records the fax. */
  async unreported(tx: WriteTx, backend: string): Promise<void> {
    const last_at = isoTime(this.#clock.now());
    await addReports(tx, { backend, problem: 'fax_not_reported', count: 1, last_at });
  }

  /** Stores the counts since the last time. */
  async flush(): Promise<void> {
    const counted = [...this.#pending];
    if (counted.length === 0) return;
    this.#pending.clear();
    try {
      await this.#db.transaction(async (tx) => {
        for (const [, report] of counted) await addReports(tx, report);
      });
    } catch (error) {
      // They are counted with the next flush.
      for (const [key, report] of counted) {
        const newer = this.#pending.get(key);
        this.#pending.set(key, newer ? { ...newer, count: newer.count + report.count } : report);
      }
      throw error;
    }
  }

  /** All there ever were, with those that are not stored yet. */
  async list(): Promise<CountedReport[]> {
    const waiting = new Map(this.#pending);
    const stored = (await listReports(this.#db.read)).map((report) => {
      const key = `${report.backend} ${report.problem}`;
      const more = waiting.get(key);
      waiting.delete(key);
      return more ? { ...more, count: report.count + more.count } : report;
    });
    return [...waiting.values(), ...stored];
  }

  /** See {@link reportWarnings}. */
  async warnings(): Promise<string[]> {
    return reportWarnings(await this.list(), this.#clock.now());
  }
}

/** Returns a sentence for each kind of problem within a day before `now`. It names no provider: anybody may read it. */
export function reportWarnings(
  reports: readonly Pick<CountedReport, 'problem' | 'count' | 'last_at'>[],
  now: number,
): string[] {
  const recent = reports.filter(({ last_at }) => epochOf(last_at) > now - WARNED_MS);
  return recent.map(
    ({ problem, count, last_at }) =>
      `${REPORT_PROBLEMS[problem]}: ${count} in all, the last ${agoWords(now - epochOf(last_at))}.`,
  );
}

const AGO = new Intl.RelativeTimeFormat('en');

/** Formats an age: `7 minutes ago`. The reader's time zone is not known. */
function agoWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  return minutes < 60 ? AGO.format(-minutes, 'minute') : AGO.format(-Math.floor(minutes / 60), 'hour');
}
