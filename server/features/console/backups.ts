import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { AllowedPath } from '../../platform/allowed-folders.ts';
import { type BackupOccasion, backupNameAt } from '../../platform/backup-name.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { writeDurably } from '../../platform/durable-file.ts';
import { errorCode, RefusalError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import {
  checksumName,
  filesOf,
  isBackupName,
  isDaily,
  listBackupFiles,
  newestUsable,
  readBackupFile,
  removeLeftOvers,
} from './backup-files.ts';
import type { NewestBackup, ReadContents } from './superseded-backups.ts';
import type { BackupItem } from './types.ts';

/** Writes a backup; the composition root fills it. */
export type MakeBackup = (
  file: string,
  options: {
    signal: AbortSignal;
    onProgress: (done: { rows: number; files: number }) => void;
    /** Public keys for which it is encrypted; empty for a plain one. */
    recipients: readonly string[];
  },
) => Promise<BackupMade | { failure: string }>;

type BackupMade = NewestBackup & {
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Null when its documents are complete; else what is in a bucket. */
  readonly bucket: object | null;
};

/** A backup that is made after the gateway has stopped. */
export interface PlannedBackup {
  /** Absolute path. */
  readonly file: string;
  /** Makes it. `failure` is the reason why there is none, as a sentence. */
  make(): Promise<BackupMade | { failure: string }>;
}

export interface BackupsParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly make: MakeBackup;
  /** See {@link ReadContents}; `file` is absolute. */
  readonly readContents: ReadContents;
  /** Returns the public keys of the settings for which backups are encrypted. */
  readonly recipients: () => readonly string[];
  /** The present folder of backups, absolute, or why it may not be used. */
  readonly folder: () => AllowedPath;
}

const noBackup = () => new RefusalError('no_such_backup');

interface Run {
  item: BackupItem;
  readonly controller: AbortController;
  readonly recipients: readonly string[];
  done: Promise<void>;
}

/** Creates the backups of the running gateway, one at a time. Complete ones are those in the folder. */
export function createBackups(parts: BackupsParts): Backups {
  return new Backups(parts);
}

export type { Backups };

class Backups {
  readonly #parts: BackupsParts;
  #run: Run | null = null;
  #failed: BackupItem | null = null;
  #made: (NewestBackup & { name: string }) | null = null;
  #revision = 0;
  #listener: (() => void) | null = null;

  constructor(parts: BackupsParts) {
    this.#parts = parts;
  }

  /** Clears what a crash left half-written. */
  async start(): Promise<void> {
    const { clock, logger } = this.#parts;
    const folder = this.#allowed();
    if (folder === null) return;
    await removeLeftOvers(folder, clock.now()).catch((error: unknown) =>
      logger.warn({ error }, 'the backup folder could not be looked through'),
    );
  }

  /** Aborts the backup in progress. */
  async stop(): Promise<void> {
    this.#run?.controller.abort();
    await this.#run?.done;
  }

  async list(): Promise<{ folder: string; items: BackupItem[] }> {
    const folder = this.#allowed();
    const own = [this.#run?.item, this.#failed].filter((item) => item !== null && item !== undefined);
    const whole = folder === null ? [] : await listBackupFiles(folder);
    const items = [...own, ...whole.filter(({ name }) => !own.some((item) => item.name === name))];
    return { folder: folder ?? '', items: items.sort((a, b) => (a.name < b.name ? 1 : -1)) };
  }

  /** Throws a 404 refusal. */
  async get(name: string): Promise<BackupItem> {
    const own = [this.#run?.item, this.#failed].find((item) => item?.name === name);
    const folder = this.#allowed();
    const item = own ?? (folder !== null && isBackupName(name) ? await readBackupFile(folder, name) : null);
    if (!item) throw noBackup();
    return item;
  }

  /** Returns the newest complete backup, or null. */
  async newest(): Promise<BackupItem | null> {
    const folder = this.#allowed();
    return folder === null ? null : ((await listBackupFiles(folder))[0] ?? null);
  }

  /**
   * Returns the time of the newest complete backup that can be opened and was made before `limit` (epoch ms), ISO 8601
   * UTC; null for none.
   */
  async newestBefore(limit: number): Promise<string | null> {
    const folder = this.#allowed();
    return folder === null ? null : newestUsable(folder, limit);
  }

  /** Returns the reason why the folder of the settings may not be used, as a sentence; null when it may. */
  folderProblem(): string | null {
    const folder = this.#parts.folder();
    return 'path' in folder ? null : folder.problem;
  }

  /** Calls the listener whenever a backup was made or removed here, or failed. */
  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  /** Number that changes with each backup that is made or removed here. */
  get revision(): number {
    return this.#revision;
  }

  /** Lists the complete daily backups, newest first. */
  async daily(): Promise<BackupItem[]> {
    const folder = this.#allowed();
    return folder === null ? [] : (await listBackupFiles(folder)).filter(({ name }) => isDaily(name));
  }

  get isMaking(): boolean {
    return this.#run !== null;
  }

  /** Resolves when none is being made. */
  async settled(): Promise<void> {
    await this.#run?.done;
  }

  /**
   * Returns the documents and key that the last backup lacks when it has that name; null when none was made, or another
   * gateway made it.
   */
  made(name: string): NewestBackup | null {
    return this.#made?.name === name ? this.#made : null;
  }

  /** See {@link ReadContents}. */
  async readContents(name: string, documents: readonly string[]): ReturnType<ReadContents> {
    return this.#parts.readContents(join(this.#folder(), name), documents);
  }

  /** Returns the reason why the last one failed, as a sentence; null when it did not. */
  failure(): string | null {
    return this.#failed?.sentence ?? null;
  }

  /** Begins one and answers at once. Throws a 409 refusal while one is made, or when the folder is of no use. */
  async begin(occasion: BackupOccasion = 'asked'): Promise<BackupItem> {
    if (this.#run) throw new RefusalError('backup_running');
    const now = this.#parts.clock.now();
    const facts = { finished_at: null, size_bytes: null, sha256: null, sentence: null };
    const recipients = this.#parts.recipients();
    const named = { occasion, isEncrypted: recipients.length > 0 };
    const item: BackupItem = {
      name: backupNameAt(now, occasion, named),
      daily: occasion === 'daily',
      encrypted: named.isEncrypted,
      state: 'running',
      created_at: isoTime(now),
      ...facts,
    };
    const run: Run = { item, recipients, controller: new AbortController(), done: Promise.resolve() };
    this.#run = run;
    this.#failed = null;
    try {
      const folder = this.#folder();
      await this.#prepare(folder);
      run.item = { ...item, ...(await freeName(folder, now, named)) };
      run.done = this.#make(run, folder).finally(() => {
        this.#run = null;
        this.#changed();
      });
      return run.item;
    } catch (error) {
      this.#run = null;
      throw error;
    }
  }

  /** Prepares one that is made once the gateway has stopped. Throws a 409 refusal when the folder is of no use. */
  async plan(occasion: BackupOccasion): Promise<PlannedBackup> {
    const folder = this.#folder();
    await this.#prepare(folder);
    const recipients = this.#parts.recipients();
    const isEncrypted = recipients.length > 0;
    const { name } = await freeName(folder, this.#parts.clock.now(), { occasion, isEncrypted });
    const file = join(folder, name);
    const { signal } = new AbortController();
    return {
      file,
      make: async () => {
        const made = await this.#parts.make(file, { signal, onProgress: () => undefined, recipients });
        if (!('failure' in made)) await writeChecksum(folder, name, made.sha256);
        return made;
      },
    };
  }

  /** Throws a 404 refusal for one that is not there, not done or failed. */
  async assertComplete(name: string): Promise<{ sizeBytes: number }> {
    const { state, size_bytes } = await this.get(name);
    if (state !== 'done' || size_bytes === null) throw noBackup();
    return { sizeBytes: size_bytes };
  }

  /** Returns the absolute path of a complete backup. Throws a 404 refusal. */
  async fileOf(name: string): Promise<string> {
    await this.assertComplete(name);
    return join(this.#folder(), name);
  }

  /** Opens a complete backup as a stream. Throws a 404 refusal. */
  async open(name: string): Promise<{ stream: Readable; sizeBytes: number }> {
    const { sizeBytes } = await this.assertComplete(name);
    return { stream: createReadStream(join(this.#folder(), name)), sizeBytes };
  }

  /** Throws a 404 refusal, and 409 for the one being made. */
  async remove(name: string): Promise<void> {
    const { state } = await this.get(name);
    if (state === 'running') throw new RefusalError('backup_unfinished');
    if (this.#failed?.name === name) this.#failed = null;
    const folder = this.#folder();
    for (const file of filesOf(name)) await rm(join(folder, file), { force: true });
    this.#changed();
  }

  #changed(): void {
    this.#revision += 1;
    this.#listener?.();
  }

  /** Null while the folder of the settings may not be used. */
  #allowed(): string | null {
    const folder = this.#parts.folder();
    return 'path' in folder ? folder.path : null;
  }

  /** Throws a 409 refusal while it may not be used. */
  #folder(): string {
    const folder = this.#parts.folder();
    if ('path' in folder) return folder.path;
    throw new RefusalError('backup_folder_unusable', { sentence: folder.problem });
  }

  async #prepare(folder: string): Promise<void> {
    try {
      await makeFolder(folder);
    } catch (error) {
      const reason = errorCode(error) || 'unknown reason';
      throw new RefusalError('backup_folder_unusable', {
        sentence: `The backup folder ${folder} cannot be created (${reason}).`,
        cause: error,
      });
    }
  }

  async #make(run: Run, folder: string): Promise<void> {
    const { make, clock, logger } = this.#parts;
    const { name } = run.item;
    const onProgress = ({ rows, files }: { rows: number; files: number }) => {
      run.item = { ...run.item, sentence: `${rows} records and ${files} documents so far.` };
    };
    const began = clock.now();
    try {
      const made = await make(join(folder, name), {
        signal: run.controller.signal,
        onProgress,
        recipients: run.recipients,
      });
      if ('failure' in made) this.#fail(run, made.failure);
      else {
        this.#made = { name, lost: made.lost, keyDigest: made.keyDigest };
        await writeChecksum(folder, name, made.sha256);
        logger.info({ name, size: made.sizeBytes, ms: clock.now() - began }, 'a backup was made');
      }
    } catch (error) {
      if (run.controller.signal.aborted) return;
      logger.error({ error, name }, 'a backup could not be made');
      this.#fail(run, 'Something went wrong. The log has the details. No backup was written.');
    }
  }

  #fail(run: Run, sentence: string): void {
    const finished_at = isoTime(this.#parts.clock.now());
    this.#failed = { ...run.item, state: 'failed', finished_at, sentence };
  }
}

function writeChecksum(folder: string, name: string, sha256: string): Promise<void> {
  return writeDurably(join(folder, checksumName(name)), `${sha256}  ${name}\n`);
}

/** A second backup within a second takes the name of the next one. */
async function freeName(
  folder: string,
  now: number,
  { occasion, isEncrypted }: { occasion: BackupOccasion; isEncrypted: boolean },
): Promise<{ name: string; created_at: string }> {
  for (let at = now; ; at += 1000) {
    const name = backupNameAt(at, occasion, { isEncrypted });
    const others = [backupNameAt(at, occasion), backupNameAt(at, occasion, { isEncrypted: true })];
    const found = await Promise.all(others.map((other) => readBackupFile(folder, other)));
    if (found.every((item) => item === null)) return { name, created_at: isoTime(at) };
  }
}
