import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../platform/errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { type AuditFormat, formatAuditEvent } from './format.ts';
import type { AuditProblem, AuditSink } from './port.ts';

const MAX_BUFFERED_LINES = 10_000;
/** Timeout for closing on a file system that does not respond, in ms. */
const CLOSE_MS = 5_000;
/** Opening a pipe that nobody reads would else wait for ever. Windows has no such flag and no such pipes. */
const NONBLOCKING_FLAG = constants.O_NONBLOCK ?? 0;
const NOT_ALLOWED = 'FOLDER_NOT_ALLOWED';
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'Faxdesk is not allowed to write there',
  EPERM: 'Faxdesk is not allowed to write there',
  [NOT_ALLOWED]: 'its folder is not one that Faxdesk was allowed to use',
  EROFS: 'Faxdesk is not allowed to write there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EISDIR: 'there is a folder of that name',
  ENOTDIR: 'there is a file where its folder should be',
  ENOENT: 'its folder cannot be created',
};

interface FileState {
  path: string;
  onError: AuditProblem;
  mayWrite: () => boolean;
  file: FileHandle | null;
  /** Lines not yet in the file; of the first, `writtenBytes` are. */
  bufferedLines: Buffer[];
  writtenBytes: number;
  lost: number;
  /** Error of the last write; null after a successful one. */
  problem: string | null;
  writing: Promise<void> | null;
}

/**
 * Appends a line per event to an owner-only file, made with its folder when missing. After a failed write the lines
 * are held and tried again with the next event. A file that was renamed or removed (log rotation) is opened anew.
 */
export function createFileSink(options: {
  path: string;
  format?: AuditFormat;
  onError: AuditProblem;
  /** Asked before the file is opened, since links on the way to it may have changed. */
  mayWrite?: () => boolean;
}): AuditSink {
  const { path, onError, format = 'json', mayWrite = () => true } = options;
  const state: FileState = {
    path,
    onError,
    mayWrite,
    file: null,
    bufferedLines: [],
    writtenBytes: 0,
    lost: 0,
    problem: null,
    writing: null,
  };
  // Opens the file at once, so that one that cannot be written is found before there is an event to lose.
  startWriting(state);
  return {
    write(event) {
      bufferLine(state, Buffer.from(`${formatAuditEvent(event, format)}\n`));
      startWriting(state);
    },
    problem() {
      if (state.problem !== null) startWriting(state);
      return state.problem;
    },
    close: () => closeWithTimeout(close(state), state),
  };
}

function bufferLine(state: FileState, line: Buffer): void {
  if (state.bufferedLines.length < MAX_BUFFERED_LINES) state.bufferedLines.push(line);
  else state.lost += 1;
}

function startWriting(state: FileState): void {
  if (state.writing !== null) return;
  state.writing = writeBuffered(state).finally(() => {
    state.writing = null;
  });
}

/** Never rejects: the caller of `write` is not waiting for it. */
async function writeBuffered(state: FileState): Promise<void> {
  try {
    do {
      const file = await currentFile(state);
      await writeFirst(state, file);
    } while (state.bufferedLines.length > 0);
    state.problem = null;
    if (state.lost > 0)
      state.onError(new Error(`${state.lost} audit events were lost: the file could not be written`));
    state.lost = 0;
  } catch (error) {
    const reason = REASONS[errorCode(error)] ?? 'the system refuses it';
    const problem = `The audit file cannot be written: ${reason}. Faxdesk keeps the lines until it can write them.`;
    // Said once: with a line for each event the log would fill the disk that is full.
    if (problem !== state.problem)
      state.onError(
        new Error(`the audit file ${state.path} cannot be written; trying again`, { cause: error }),
      );
    state.problem = problem;
  }
}

/** A full disk may take half a line: the rest of it follows when there is room. */
async function writeFirst(state: FileState, file: FileHandle): Promise<void> {
  const line = state.bufferedLines[0];
  if (line === undefined) return;
  const { bytesWritten } = await file.write(line, state.writtenBytes);
  if (bytesWritten === 0) throw new Error('nothing of an audit line was taken');
  state.writtenBytes += bytesWritten;
  if (state.writtenBytes < line.length) return;
  state.bufferedLines.shift();
  state.writtenBytes = 0;
}

async function currentFile(state: FileState): Promise<FileHandle> {
  if (state.file !== null && (await isSameFile(state.path, state.file))) return state.file;
  const old = state.file;
  state.file = null;
  state.writtenBytes = 0;
  await old?.close();
  if (!state.mayWrite())
    throw Object.assign(new Error('the file is not where Faxdesk may write'), { code: NOT_ALLOWED });
  await makeFolder(dirname(state.path));
  state.file = await openFile(state.path);
  return state.file;
}

async function openFile(path: string): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NONBLOCKING_FLAG;
  const file = await open(path, flags, 0o600);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is a device or a pipe, not a file`);
}

async function isSameFile(path: string, file: FileHandle): Promise<boolean> {
  const [named, opened] = await Promise.all([stat(path).catch(() => null), file.stat()]);
  return named !== null && named.ino === opened.ino && named.dev === opened.dev;
}

/** Bounds the close, so that a stuck disk does not block shutdown. */
async function closeWithTimeout(closing: Promise<void>, state: FileState): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      state.onError(new Error(`the audit file ${state.path} did not answer; what waited for it is lost`));
      resolve();
    }, CLOSE_MS);
  });
  await Promise.race([closing, tooLate]);
  clearTimeout(timer);
}

async function close(state: FileState): Promise<void> {
  await state.writing;
  startWriting(state);
  await state.writing;
  const lost = state.bufferedLines.length + state.lost;
  state.bufferedLines = [];
  if (lost > 0) state.onError(new Error(`${lost} audit events were lost: the file could not be written`));
  const file = state.file;
  state.file = null;
  try {
    await file?.sync();
    await file?.close();
  } catch (error) {
    state.onError(new Error(`the audit file ${state.path} could not be flushed`, { cause: error }));
  }
}
