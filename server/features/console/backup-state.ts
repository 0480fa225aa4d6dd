import { type Clock, epochOf } from '../../platform/clock.ts';
import { dailyRunDay } from '../../platform/local-days.ts';
import { localDay } from '../../platform/local-time.ts';
import type { Backups } from './backups.ts';
import type { DailyBackups } from './daily-backups.ts';
import { NO_BACKUP, RECENT_BACKUP_MS } from './light-sentences.ts';
import type { InstallationFacts } from './types.ts';

type BackupState = NonNullable<InstallationFacts['backup']>;

interface BackupStateParts {
  readonly clock: Clock;
  readonly backups: Pick<Backups, 'newestBefore' | 'folderProblem' | 'revision'>;
  readonly daily: Pick<DailyBackups, 'problem'>;
  /** Returns the settings; the hour is null while daily backups are off. */
  readonly wanted: () => { hour: number | null; timeZone: string; country: string };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Time in ms that the backup of the day may take, from its hour on. */
const GRACE_MS = 2 * HOUR_MS;
/** A folder is listed again after this time, in ms: another gateway, or a command, may have made a backup. */
const LISTED_MS = 1_000;
/** Maximum time that a backup may be dated ahead, in ms; one further ahead was made while the clock was wrong. */
const MAX_AHEAD_MS = DAY_MS;

const NO_HOUR = 'Choose an hour for the daily backup in the settings.';

/** Creates the reader of the state of backups: recent by the hour of the daily one, else made within a week. */
export function createBackupState(parts: BackupStateParts): { read(): Promise<BackupState> } {
  return new BackupStateReader(parts);
}

class BackupStateReader {
  readonly #parts: BackupStateParts;
  /** Time at which the folder was listed, by a clock that nobody sets. */
  #listedAt = Number.NEGATIVE_INFINITY;
  #listedRevision = 0;
  #newest: Promise<string | null> = Promise.resolve(null);

  constructor(parts: BackupStateParts) {
    this.#parts = parts;
  }

  async read(): Promise<BackupState> {
    const { daily, backups } = this.#parts;
    const last_at = await this.#newestAt();
    const problem = daily.problem ?? backups.folderProblem();
    if (problem !== null) return { state: 'failed', last_at, sentence: problem };
    const sentence = this.#lack(last_at);
    if (sentence === null) return { state: 'ok', last_at, sentence };
    return { state: last_at === null ? 'none' : 'late', last_at, sentence };
  }

  /** Returns a sentence about the missing recent backup; null when there is one. */
  #lack(newest: string | null): string | null {
    const { clock, wanted } = this.#parts;
    const { hour, timeZone, country } = wanted();
    const now = clock.now();
    if (newest === null) return hour === null ? `${NO_BACKUP} ${NO_HOUR}` : NO_BACKUP;
    const at = epochOf(newest);
    const last = `The last backup is from ${localDay(at, { timeZone, country })}.`;
    if (hour === null) return now - at <= RECENT_BACKUP_MS ? null : `${last} ${NO_HOUR}`;
    const isRecent = dailyRunDay(at, hour, timeZone) >= dailyRunDay(now - GRACE_MS, hour, timeZone);
    return isRecent ? null : `${last} One should have been made since.`;
  }

  /** Lists the folder at most once a second, because consoles request it all the time. */
  #newestAt(): Promise<string | null> {
    const { backups, clock } = this.#parts;
    const isListed = this.#listedRevision === backups.revision;
    if (isListed && performance.now() - this.#listedAt < LISTED_MS) return this.#newest;
    this.#listedAt = performance.now();
    this.#listedRevision = backups.revision;
    this.#newest = backups.newestBefore(clock.now() + MAX_AHEAD_MS).catch(() => null);
    return this.#newest;
  }
}
