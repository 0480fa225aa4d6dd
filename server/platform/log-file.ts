import { writeSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './errors.ts';
import { makeFolder } from './make-folder.ts';

export const LOG_FILE = 'gateway.log';

/** The names of the log files in their folder, newest first. */
export const LOG_FILES = [LOG_FILE, 'gateway.1.log', 'gateway.2.log', 'gateway.3.log', 'gateway.4.log'];

const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Maximum buffer for a slow disk; beyond it lines are dropped rather than the memory filled. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

interface LogFile {
  /** Takes a whole line with its end. Never waits and never throws. */
  write(line: string): void;
  /** Resolves when every line so far is written, or given up. */
  close(): Promise<void>;
}

interface LogFileOptions {
  readonly maxBytes?: number;
  /** Told once when the log cannot be written, and again only after it could be. */
  readonly onFailure?: (sentence: string) => void;
}

/** Five files of 10 MB in `folder`, readable by their owner only; the oldest goes when the newest is full. */
export function openLogFile(folder: string, options: LogFileOptions = {}): LogFile {
  return new RotatingFile(folder, options);
}

class RotatingFile implements LogFile {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #onFailure: (sentence: string) => void;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  #file: FileHandle | null = null;
  #size = 0;
  #writing: Promise<void> | null = null;
  #isFailing = false;

  constructor(folder: string, options: LogFileOptions) {
    this.#folder = folder;
    this.#maxBytes = options.maxBytes ?? MAX_FILE_BYTES;
    this.#onFailure = options.onFailure ?? writeToStderr;
  }

  write(line: string): void {
    if (this.#waitingBytes > MAX_WAITING_BYTES) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (!this.#writing) this.#startWriting();
  }

  async close(): Promise<void> {
    while (this.#writing) await this.#writing;
    await this.#file?.close().catch(() => undefined);
    this.#file = null;
  }

  #startWriting(): void {
    this.#writing = this.#drain().finally(() => {
      this.#writing = null;
      if (this.#waiting.length > 0) this.#startWriting();
    });
  }

  async #drain(): Promise<void> {
    // The lines of one turn are written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const bytes = Buffer.from(this.#takeLines());
      try {
        await this.#append(bytes);
        this.#isFailing = false;
      } catch (error) {
        await this.#reportFailure(error);
      }
    }
  }

  #takeLines(): string {
    const lines = this.#waiting;
    const lost = this.#dropped;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#dropped = 0;
    if (lost > 0)
      lines.push(`${JSON.stringify({ level: 'warn', msg: `${lost} lines of the log were lost` })}\n`);
    return lines.join('');
  }

  async #append(bytes: Buffer): Promise<void> {
    this.#file ??= await this.#open();
    if (this.#size > 0 && this.#size + bytes.length > this.#maxBytes) {
      await this.#rotate();
      this.#file = await this.#open();
    }
    await this.#file.appendFile(bytes);
    this.#size += bytes.length;
  }

  async #open(): Promise<FileHandle> {
    await makeFolder(this.#folder);
    const file = await open(join(this.#folder, LOG_FILE), 'a', 0o600);
    this.#size = (await file.stat()).size;
    return file;
  }

  async #rotate(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
    for (let index = LOG_FILES.length - 1; index > 0; index -= 1)
      await rename(this.#path(index - 1), this.#path(index)).catch(ignoreMissing);
  }

  #path(index: number): string {
    return join(this.#folder, LOG_FILES[index] ?? LOG_FILE);
  }

  /** The lines at hand are lost; the next ones try a file opened anew. */
  async #reportFailure(cause: unknown): Promise<void> {
    await this.#file?.close().catch(() => undefined);
    this.#file = null;
    if (this.#isFailing) return;
    this.#isFailing = true;
    const reason = errorCode(cause) || 'unknown reason';
    this.#onFailure(
      `The log in ${this.#folder} cannot be written (${reason}); the gateway goes on without it.`,
    );
  }
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}

function writeToStderr(sentence: string): void {
  try {
    writeSync(2, `${JSON.stringify({ level: 'error', logger: 'gateway:log', msg: sentence })}\n`);
  } catch {
    // No other output is left.
  }
}
