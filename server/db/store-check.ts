import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { type Clock, isoTime } from '../platform/clock.ts';
import { writeDurably } from '../platform/durable-file.ts';
import type { Logger } from '../platform/logger.ts';
import { storeTroubleOf } from '../platform/store-trouble.ts';
import type { CheckKind } from './check-messages.ts';
import type { DamageWatch } from './damage.ts';
import { startCheck } from './start-check.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
/** Stored notes about the checks of a database file. */
const CheckRecord = z.strictObject({
  file: z.string(),
  full_check_at: z.iso.datetime().nullable(),
  damaged_at: z.iso.datetime().nullable(),
});
type CheckRecord = z.infer<typeof CheckRecord>;

interface StoreCheckParts {
  readonly sqliteFile: string;
  /** File that stores the time of the last check. */
  readonly recordFile: string;
  readonly damage: DamageWatch;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Checks the SQLite file at the start, after an end that was none, and every week. */
export function createStoreCheck(parts: StoreCheckParts): StoreCheck {
  return new StoreCheck(parts);
}

export type { StoreCheck };

class StoreCheck {
  readonly #parts: StoreCheckParts;
  #record: CheckRecord | null = null;
  #running: Promise<void> | null = null;
  #end: () => void = () => undefined;
  #isStopped = false;

  constructor(parts: StoreCheckParts) {
    this.#parts = parts;
    parts.damage.onFound(() => void this.#recordDamage());
  }

  /**
   * Begins the check of a start, once that has come so far that people can read what is there; no start waits for it. A full one
   * when the last run did not come to its end or the week is over. A file that was found damaged before is damaged until another
   * one is in its place.
   */
  async begin(start: { endedInTheMiddle: boolean }): Promise<void> {
    this.#record = await this.#readRecord();
    if (this.#record.damaged_at !== null) this.#parts.damage.reportDamage('it was found damaged before');
    this.#run(start.endedInTheMiddle || this.#isDue() ? 'full' : 'quick');
  }

  /** Begins the weekly one when its time has come. */
  startIfDue(): void {
    if (this.#record !== null && this.#isDue()) this.#run('full');
  }

  /** Waits for the check under way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Ends the check under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#end();
    await this.#running;
  }

  #isDue(): boolean {
    const last = this.#record?.full_check_at ?? null;
    if (last === null) return true;
    // A clock that was set back must not put it off for as long.
    return Math.abs(this.#parts.clock.now() - Date.parse(last)) >= WEEK_MS;
  }

  #run(kind: CheckKind): void {
    if (this.#isStopped) return;
    this.#running ??= this.#check(kind)
      .catch((error: unknown) => this.#parts.logger.error({ error }, 'the database could not be checked'))
      .finally(() => {
        this.#running = null;
      });
  }

  async #check(kind: CheckKind): Promise<void> {
    const { sqliteFile, damage, logger } = this.#parts;
    const began = performance.now();
    const check = startCheck({ file: sqliteFile, kind });
    this.#end = () => check.end();
    const result = await check.result;
    const facts = { kind, ms: Math.round(performance.now() - began) };
    switch (result.state) {
      case 'sound':
        logger.info(facts, 'the database was checked');
        return kind === 'full' ? this.#recordSound() : undefined;
      case 'damaged':
        return damage.reportDamage(result.findings.join('; '));
      case 'unread':
        if (storeTroubleOf(Object.assign(new Error(result.message), { code: result.code })) === 'damaged')
          return damage.reportDamage(result.message);
        return logger.error({ ...facts, code: result.code }, 'the database could not be checked');
      case 'stopped':
        return;
      default:
        result satisfies never;
    }
  }

  async #recordSound(): Promise<void> {
    const { clock, damage, logger } = this.#parts;
    if (damage.isFound) logger.warn({}, 'no damage of the database is found any more; start Faxdesk again');
    await this.#updateRecord({ full_check_at: isoTime(clock.now()), damaged_at: null });
  }

  async #recordDamage(): Promise<void> {
    const { clock, logger } = this.#parts;
    await this.#updateRecord({ damaged_at: this.#record?.damaged_at ?? isoTime(clock.now()) }).catch(
      (error: unknown) => logger.error({ error }, 'that the database is damaged could not be noted'),
    );
  }

  async #updateRecord(changed: Partial<CheckRecord>): Promise<void> {
    const file = await identityOf(this.#parts.sqliteFile);
    this.#record = { full_check_at: null, damaged_at: null, ...this.#record, ...changed, file };
    await writeDurably(this.#parts.recordFile, `${JSON.stringify(this.#record)}\n`);
  }

  /** None for a file that is another one than that of the notes. */
  async #readRecord(): Promise<CheckRecord> {
    const file = await identityOf(this.#parts.sqliteFile);
    const none = { file, full_check_at: null, damaged_at: null };
    const text = await readFile(this.#parts.recordFile, 'utf8').catch(() => '');
    const notes = CheckRecord.safeParse(jsonOf(text));
    return notes.success && notes.data.file === file ? notes.data : none;
  }
}

/** Tells a file from another one that was put in its place. */
export async function identityOf(file: string): Promise<string> {
  const { ino, birthtimeNs } = await stat(file, { bigint: true });
  return `${ino}-${birthtimeNs}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
