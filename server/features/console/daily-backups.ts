import { type Clock, epochOf } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import { dailyRunDay } from '../../platform/local-days.ts';
import type { Logger } from '../../platform/logger.ts';
import type { BackupLease } from './backup-lease.ts';
import type { Backups } from './backups.ts';
import { type NewestBackup, type ReadContents, supersededBackups } from './superseded-backups.ts';

const HOUR_MS = 3_600_000;
/** After one that failed: the disk may have been full for a moment. */
const RETRY_MS = HOUR_MS;
/** Maximum time that a backup may be dated ahead, in ms; one further ahead was made while the clock was wrong. */
const MAX_AHEAD_MS = 60 * 24 * HOUR_MS;

interface DailyBackupsParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly backups: Pick<
    Backups,
    'begin' | 'settled' | 'daily' | 'failure' | 'remove' | 'made' | 'readContents'
  >;
  readonly lease: BackupLease;
  /** Returns the reason why a backup made now could not be restored, as a sentence; null when it could. */
  readonly flaw: () => string | null;
  /** Returns the settings; the hour is null while daily backups are off. */
  readonly wanted: () => { hour: number | null; keep: number; timeZone: string };
}

/**
 * Makes the daily backup when it is due, also after a night in which the computer was off, and removes the oldest ones. While a
 * backup could not be restored none is made and none is removed.
 */
export function createDailyBackups(parts: DailyBackupsParts): DailyBackups {
  return new DailyBackups(parts);
}

export type { DailyBackups };

class DailyBackups {
  readonly #parts: DailyBackupsParts;
  /** Epoch milliseconds. */
  #notBefore = 0;
  #problem: string | null = null;
  #running: Promise<void> = Promise.resolve();
  #isMaking = false;
  #isPaused = false;

  constructor(parts: DailyBackupsParts) {
    this.#parts = parts;
  }

  /** Problem with the daily backups, in sentences; null when all is well, or when they are off. */
  get problem(): string | null {
    const { wanted, flaw } = this.#parts;
    if (wanted().hour === null) return null;
    const why = flaw();
    return why === null ? this.#problem : pausedText(why);
  }

  /**
   * Makes one if it is due, and waits for it; while one is being made, only renews the lease. To be called every
   * minute.
   */
  async run(): Promise<void> {
    if (this.#isMaking) return this.#renewLease();
    this.#running = this.#running.then(() => this.#runOne());
    await this.#running;
  }

  /** Resolves when none is being made. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #runOne(): Promise<void> {
    const { logger, lease, flaw } = this.#parts;
    if (flaw() !== null) return this.#logPause();
    try {
      if (!(await this.#isDue()) || !(await lease.take())) return;
      this.#isMaking = true;
      // Another gateway on the database may just have made it.
      if (await this.#isDue()) await this.#make();
    } catch (error) {
      logger.error({ error }, 'the daily backup could not be made');
      this.#failed('the log has the details');
    } finally {
      if (this.#isMaking) await this.#release();
      this.#isMaking = false;
    }
  }

  async #make(): Promise<void> {
    const { logger, backups } = this.#parts;
    try {
      const { name } = await backups.begin('daily');
      await backups.settled();
      const newest = backups.made(name);
      if (newest === null) return this.#failed(backups.failure() ?? 'it was interrupted');
      this.#problem = newest.lost.length === 0 ? null : missingDocumentsText(newest.lost.length);
      if (this.#problem !== null) logger.warn({ lost: newest.lost.length }, 'documents of faxes are missing');
      await this.#removeOldest(name, newest);
    } catch (error) {
      // A backup begun by a person is in progress: retried the next minute.
      if (error instanceof RefusalError && error.refusalCode === 'backup_running') return;
      logger.error({ error }, 'the daily backup could not be made');
      return this.#failed(error instanceof RefusalError ? error.message : 'the log has the details');
    }
  }

  /** Once, however long it lasts. */
  #logPause(): void {
    const { logger, flaw, wanted } = this.#parts;
    if (!this.#isPaused && wanted().hour !== null) logger.warn({ reason: flaw() }, 'no daily backup is made');
    this.#isPaused = true;
  }

  async #renewLease(): Promise<void> {
    const { lease, logger } = this.#parts;
    await lease
      .take()
      .catch((error: unknown) =>
        logger.warn({ error }, 'other gateways could not be notified of the backup'),
      );
  }

  async #release(): Promise<void> {
    const { lease, logger } = this.#parts;
    // The lease expires anyway.
    await lease
      .release()
      .catch((error: unknown) =>
        logger.warn({ error }, 'other gateways could not be notified of the backup'),
      );
  }

  async #isDue(): Promise<boolean> {
    const { clock, wanted, backups } = this.#parts;
    const { hour, timeZone } = wanted();
    const now = clock.now();
    // A clock that was set back must not put it off for long.
    if (hour === null || (now < this.#notBefore && now > this.#notBefore - 2 * RETRY_MS)) return false;
    // A backup dated far ahead by a wrong clock must not delay all others.
    const newest = (await backups.daily()).find(({ created_at }) => epochOf(created_at) < now + MAX_AHEAD_MS);
    const dayOf = (at: number) => dailyRunDay(at, hour, timeZone);
    return newest === undefined || dayOf(epochOf(newest.created_at)) < dayOf(now);
  }

  #failed(reason: string): void {
    this.#problem = `The daily backup could not be made: ${reason.replace(/\.$/u, '')}. It is tried again every hour.`;
    this.#notBefore = this.#parts.clock.now() + RETRY_MS;
  }

  async #removeOldest(made: string, newest: NewestBackup): Promise<void> {
    const { backups, wanted, logger } = this.#parts;
    try {
      // A clock that was ahead once leaves names that are newer than this one.
      const older = (await backups.daily()).map(({ name }) => name).filter((name) => name !== made);
      const readContents: ReadContents = (name, documents) => backups.readContents(name, documents);
      const superseded = await supersededBackups(older, { keep: wanted().keep, newest, readContents });
      for (const name of superseded) await backups.remove(name);
    } catch (error) {
      // The backup itself was made; the removal is repeated the next day.
      logger.warn({ error }, 'older daily backups could not be removed');
    }
  }
}

const pausedText = (why: string) =>
  `No daily backup is made and none is removed, because it could not be restored. ${why}`;

const missingDocumentsText = (count: number) =>
  `The last daily backup lacks ${count === 1 ? 'the document of 1 fax, whose file is' : `${count} documents of faxes, whose files are`} missing from the data folder. Older backups that have ${count === 1 ? 'it' : 'them'} are kept.`;
