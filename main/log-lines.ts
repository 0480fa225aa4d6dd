import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_LINES = 1_000;
const TAIL_BYTES = 128 * 1024;

/** The last lines that the gateway's processes wrote, across restarts. */
export function createLogLines(): LogLines {
  return new LogLines();
}

class LogLines {
  #lines: string[] = [];
  #rest = '';

  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-TAIL_BYTES);
    this.#lines = [...this.#lines, ...lines.filter((line) => line.trim() !== '')].slice(-MAX_LINES);
  }

  /** Adds a line of the application about the gateway, among the gateway's own lines. */
  note(sentence: string): void {
    const line = { time: new Date().toISOString(), level: 'info', logger: 'desktop', msg: sentence };
    this.add(`${JSON.stringify(line)}\n`);
  }

  get all(): readonly string[] {
    return this.#rest === '' ? this.#lines : [...this.#lines, this.#rest];
  }
}

/** The end of the newest log file of the data folder; nothing when there is none. */
export async function newestLogFile(dataFolder: string): Promise<string[]> {
  const folder = join(dataFolder, 'logs');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.log')).sort();
  const newest = names.at(-1);
  if (newest === undefined) return [];
  const bytes = await readFile(join(folder, newest)).catch(() => Buffer.alloc(0));
  return bytes.subarray(-TAIL_BYTES).toString('utf8').trimEnd().split('\n').slice(-MAX_LINES);
}

/** A line as a person reads it: the gateway's are JSON. */
export function readableLine(line: string): string {
  try {
    const { time, level, logger, msg, error } = JSON.parse(line) as Record<string, unknown>;
    const cause = (error as { message?: unknown } | undefined)?.message;
    const parts = [time, level, logger, msg, cause].filter((part) => typeof part === 'string');
    return parts.length === 0 ? line : parts.join('  ');
  } catch {
    return line;
  }
}
