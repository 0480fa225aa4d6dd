import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { LOG_LEVELS } from '../../../shared/api/console.ts';
import { errorCode, RefusalError } from '../../platform/errors.ts';
import { LOG_FILES } from '../../platform/log-file.ts';
import { linesBackwards } from './lines-backwards.ts';
import type { LoggedLine } from './types.ts';

export interface LogQuery {
  readonly level: LoggedLine['level'];
  readonly q?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Maximum bytes that one search reads, with or without a match, so that it never occupies the gateway for long. */
const MAX_SEARCHED_BYTES = 8 * 1024 * 1024;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;
const CURSOR = /^([0-9a-f]{16})-(\d{1,15})$/u;

/**
 * Reads a page of the log, newest first, from the end of the files. The cursor names a file by its first line, because
 * file names move on during reading.
 */
export async function readLogPage(
  folder: string,
  query: LogQuery,
): Promise<{ items: LoggedLine[]; next_cursor: string | null }> {
  const items: LoggedLine[] = [];
  const wanted = matcherOf(query);
  let begin = query.cursor === undefined ? null : readCursor(query.cursor);
  let searched = 0;
  for (const name of LOG_FILES) {
    const file = await openLog(join(folder, name));
    if (!file) continue;
    try {
      const identity = await identityOf(file);
      if (identity === null || (begin !== null && begin.file !== identity)) continue;
      const size = begin?.offset ?? (await file.stat()).size;
      begin = null;
      for await (const { text, start } of linesBackwards(file, size)) {
        searched += Buffer.byteLength(text) + 1;
        const line = wanted(text, `${identity}-${start}`);
        if (line) items.push(line);
        if (items.length === query.limit || searched >= MAX_SEARCHED_BYTES)
          return { items, next_cursor: `${identity}-${start}` };
      }
    } finally {
      await file.close();
    }
  }
  return { items, next_cursor: null };
}

/** Every line, oldest first, as the files hold them now. */
export async function* wholeLog(folder: string): AsyncIterable<Uint8Array> {
  const files: { file: FileHandle; identity: string; size: number }[] = [];
  try {
    for (const name of LOG_FILES) {
      const file = await openLog(join(folder, name));
      const identity = file && (await identityOf(file));
      // The names may move on between two of them.
      if (file && identity !== null && !files.some((other) => other.identity === identity))
        files.unshift({ file, identity, size: (await file.stat()).size });
      else await file?.close();
    }
    for (const { file, size } of files)
      if (size > 0) yield* file.createReadStream({ start: 0, end: size - 1, autoClose: false });
  } finally {
    for (const { file } of files) await file.close();
  }
}

/** The first line of a file: no two have the same, and it moves with the file. */
async function identityOf(file: FileHandle): Promise<string | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
  const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
  if (bytesRead < 1024 && end === -1) return null;
  const line = end === -1 ? buffer : buffer.subarray(0, end);
  return createHash('sha256').update(line).digest('hex').slice(0, 16);
}

function readCursor(text: string): { file: string; offset: number } {
  const [, file, offset] = CURSOR.exec(text) ?? [];
  if (file === undefined) throw new RefusalError('invalid_cursor');
  return { file, offset: Number(offset) };
}

async function openLog(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function matcherOf({ level, q }: LogQuery): (text: string, id: string) => LoggedLine | null {
  const least = LOG_LEVELS.indexOf(level);
  const part = q?.toLowerCase() ?? '';
  return (text, id) => {
    if (part !== '' && !text.toLowerCase().includes(part)) return null;
    const line = readLine(text, id);
    return line && LOG_LEVELS.indexOf(line.level) >= least ? line : null;
  };
}

/** Null for what is no line of the log, such as one that a crash cut off. */
function readLine(text: string, id: string): LoggedLine | null {
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { level, time, logger, msg, ...facts } = value as Record<string, unknown>;
  const known = LOG_LEVELS.find((name) => name === level);
  if (known === undefined) return null;
  return {
    id,
    at: typeof time === 'string' && TIME.test(time) ? time : null,
    level: known,
    room: typeof logger === 'string' ? logger.replace(/^gateway:/u, '') : null,
    message: typeof msg === 'string' ? msg : '',
    facts,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
