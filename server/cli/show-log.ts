import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { LOG_FILE, LOG_FILES } from '../platform/log-file.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { serviceOf } from './system-service.ts';
import { oneLine, terminal } from './terminal.ts';

interface LogRequest {
  /** ISO 8601 UTC; null for no limit. */
  readonly since: string | null;
  /** Maximum number, the newest ones; null for all. */
  readonly lines: number | null;
  readonly follow: boolean;
  /** Prints each line as it was logged. */
  readonly asJson: boolean;
}

const PAUSE_MS = 500;
/** Facts that have a place of their own in a printed line. */
const PLACED = new Set(['level', 'time', 'logger', 'msg']);

/** Prints the log of the gateway of a data folder: from the journal of its service, else from its files. Throws CommandFailure. */
export async function showLog(dataFolder: string, request: LogRequest): Promise<void> {
  const print = (line: string) => terminal.print(request.asJson ? line : readableLine(line));
  const unit = await serviceOf(dataFolder);
  if (unit !== null && (await showJournal(unit, request, print))) return;
  await showFiles(join(dataFolder, 'logs'), request, print);
}

/** Returns a logged line for a person: time, level, part, message and facts. A line that is no JSON stays as it is. */
export function readableLine(line: string): string {
  const entry = parseEntry(line);
  if (entry === null) return oneLine(line);
  const { level = '', time = '', logger = '', msg = '' } = entry as Record<string, string>;
  const facts = Object.entries(entry).filter(([name]) => !PLACED.has(name));
  const words = facts.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return oneLine(
    [time, level.padEnd(5), `${logger.replace(/^gateway:?/u, '') || 'gateway'}:`, msg, ...words].join(' '),
  );
}

function parseEntry(line: string): object | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as object;
  } catch {
    return null;
  }
}

/** Returns false where the journal cannot be read, as without its program or the permission. */
async function showJournal(
  unit: string,
  { since, lines, follow }: LogRequest,
  print: (line: string) => void,
): Promise<boolean> {
  const child = spawn(
    'journalctl',
    [
      `--unit=${unit}`,
      '--output=cat',
      '--quiet',
      ...(since === null ? [] : [`--since=@${Math.floor(Date.parse(since) / 1000)}`]),
      ...(lines === null ? ['--no-tail'] : [`--lines=${lines}`]),
      ...(follow ? ['--follow'] : []),
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const closed = once(child, 'close').catch(() => [null]) as Promise<[number | null]>;
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    count += 1;
    print(line);
  }
  const [code] = await closed;
  return code === 0 && count > 0;
}

async function showFiles(
  folder: string,
  { since, lines, follow }: LogRequest,
  print: (line: string) => void,
): Promise<void> {
  const newest = join(folder, LOG_FILE);
  const found = await stat(newest).catch(() => null);
  if (found === null)
    throw new CommandFailure(
      `There is no log in ${folder}, or this account has no permission to read it.`,
      EXIT.notFound,
    );
  const kept: string[] = [];
  for (const name of LOG_FILES.toReversed()) {
    const path = join(folder, name);
    if ((await stat(path).catch(() => null)) === null) continue;
    for await (const line of linesFrom(path, 0, name === LOG_FILE ? found.size : undefined)) {
      if (since !== null && timeOf(line) < since) continue;
      kept.push(line);
      if (lines !== null && kept.length > lines) kept.shift();
    }
  }
  for (const line of kept) print(line);
  if (follow) await followFile(newest, { from: found.size, inode: found.ino }, print);
}

/** Prints the lines that are added to a file, and goes on with a new one of its name, until the process ends. */
async function followFile(
  path: string,
  { from, inode }: { from: number; inode: number },
  print: (line: string) => void,
): Promise<never> {
  let at = from;
  let known = inode;
  for (;;) {
    await pause(PAUSE_MS);
    const now = await stat(path).catch(() => null);
    if (now === null) continue;
    if (now.ino !== known || now.size < at) {
      known = now.ino;
      at = 0;
    }
    if (now.size === at) continue;
    for await (const line of linesFrom(path, at, now.size)) print(line);
    at = now.size;
  }
}

async function* linesFrom(path: string, start: number, end?: number): AsyncGenerator<string> {
  if (end === start) return;
  const input = createReadStream(path, { start, ...(end === undefined ? {} : { end: end - 1 }) });
  yield* createInterface({ input });
}

/** Returns the time of a line, or a later one than any for a line without. */
function timeOf(line: string): string {
  const { time } = (parseEntry(line) ?? {}) as { time?: unknown };
  return typeof time === 'string' ? time : '9';
}
