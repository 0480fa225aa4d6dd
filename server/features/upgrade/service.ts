import type { UpgradeReportAnswer, UpgradeStateAnswer } from '../../../shared/api/upgrade.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import { epochOf } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor, type SecurityAudit } from '../audit/service.ts';
import { notHere, underWay } from './errors.ts';
import { upgradeLines } from './report-lines.ts';
import { reportOf } from './run-upgrade.ts';
import { listNotes, newestRun } from './store.ts';
import type { EarlierLocation, UpgradeNote, UpgradeProgress, UpgradeReport } from './types.ts';

export { upgradeLines } from './report-lines.ts';

/** Days for which *System* names the settings that an upgrade ignored. */
const NOTICE_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
/** Lines in which a notice may stand: those about settings come first. */
const FIRST_LINES = 50;

export interface UpgradeServiceParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: SecurityAudit;
  /** Makes a dry run beside the running gateway. Throws errors with a sentence for a person. */
  readonly check: (
    earlier: EarlierLocation,
    onProgress: (progress: UpgradeProgress) => void,
  ) => Promise<UpgradeReport>;
  /** Stops the gateway, upgrades and starts again; null where the starting program does not support it. */
  readonly upgrade:
    | ((earlier: EarlierLocation, by: Pick<ReturnType<typeof actorOf>, 'name' | 'credentialKind'>) => void)
    | null;
  /** Reason why the last upgrade from the console did not finish, as a sentence; null when it did. */
  readonly problem: string | null;
}

/** The way from an earlier release, in the console: a dry run, the upgrade, and its report. */
export function createUpgradeService(parts: UpgradeServiceParts): UpgradeService {
  return new UpgradeService(parts);
}

export type { UpgradeService };

class UpgradeService {
  readonly #parts: UpgradeServiceParts;
  #progress: UpgradeProgress | null = null;
  #checking: Promise<void> | null = null;
  #check: UpgradeReport | null = null;
  #problem: string | null;

  constructor(parts: UpgradeServiceParts) {
    this.#parts = parts;
    this.#problem = parts.problem;
  }

  async state(): Promise<UpgradeStateAnswer> {
    const { db, upgrade } = this.#parts;
    const run = await newestRun(db.read);
    const report = run && (await reportOf({ db }, run, { isDryRun: false, isRepeated: false }));
    return {
      checking: this.#checking !== null,
      progress: this.#progress,
      problem: this.#problem,
      check: this.#check && present(this.#check),
      report: report && present(report),
      can_upgrade: upgrade !== null,
    };
  }

  /** Begins a dry run. Throws a 409 refusal while another one is under way. */
  beginCheck(earlier: EarlierLocation): void {
    if (this.#checking !== null) throw underWay();
    this.#check = null;
    this.#problem = null;
    this.#checking = this.#runCheck(earlier).finally(() => {
      this.#checking = null;
      this.#progress = null;
    });
  }

  /** Throws 409 refusals. The gateway stops after the answer. */
  async start(earlier: EarlierLocation, caller: Caller): Promise<void> {
    const { db, audit, upgrade } = this.#parts;
    if (upgrade === null) throw notHere();
    if (this.#checking !== null) throw underWay();
    const actor = actorOf(caller);
    await db.transaction((tx) =>
      audit.record(tx, {
        ...recordedActor(actor),
        operation: 'installation.upgrade',
        target: { kind: 'installation', id: null },
        outcome: 'done',
        details: { ordered: true, files: earlier.files },
      }),
    );
    upgrade(earlier, { name: actor.name, credentialKind: actor.credentialKind });
  }

  async lines(after: number, limit: number): Promise<readonly (UpgradeNote & { position: number })[]> {
    const { db } = this.#parts;
    const run = await newestRun(db.read);
    return run === null ? [] : listNotes(db.read, run.id, { after, limit });
  }

  /** Sentences for *System*: an upgrade that was interrupted, and settings that the last one ignored. */
  async warnings(): Promise<string[]> {
    const { db, clock } = this.#parts;
    const run = await newestRun(db.read);
    if (run === null) return [];
    if (run.finishedAt === null)
      return ['The upgrade from an earlier release was interrupted. Start it again: it continues.'];
    if (clock.now() - epochOf(run.finishedAt) > NOTICE_DAYS * DAY_MS) return [];
    const notes = await listNotes(db.read, run.id, { after: 0, limit: FIRST_LINES });
    return notes.filter(({ kind }) => kind === 'setting_removed').map(({ text }) => text);
  }

  /** Waits for a dry run that is under way. */
  async settled(): Promise<void> {
    await this.#checking;
  }

  async #runCheck(earlier: EarlierLocation): Promise<void> {
    try {
      this.#check = await this.#parts.check(earlier, (progress) => {
        this.#progress = progress;
      });
    } catch (error) {
      this.#parts.logger.warn({ error }, 'an earlier installation could not be checked');
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }
}

function present(report: UpgradeReport): UpgradeReportAnswer {
  return {
    source: report.source,
    files: report.files,
    started_at: report.startedAt,
    finished_at: report.finishedAt,
    dry_run: report.dryRun,
    repeated: report.isRepeated,
    moved: upgradeLines(report.counts).map(([what, count]) => ({ what, count })),
    counts: { ...report.counts },
    line_count: report.noteCount,
    lines: report.notes.slice(0, MAX_LINES).map(({ kind, subjectId, text }) => ({
      kind,
      subject_id: subjectId,
      text,
    })),
  };
}
const MAX_LINES = 200;
