import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type AuditFormat, formatAuditEvent } from './format.ts';
import type { AuditProblem, AuditSink } from './port.ts';

const MAX_HELD_LINES = 10_000;

interface FileState {
  path: string;
  onError: AuditProblem;
  file: FileHandle | null;
  /** Lines not yet in the file; of the first, `writtenBytes` are. */
  held: Buffer[];
  writtenBytes: number;
  lost: number;
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
}): AuditSink {
  const { path, onError, format = 'json' } = options;
  const state: FileState = { path, onError, file: null, held: [], writtenBytes: 0, lost: 0, writing: null };
  return {
    write(event) {
      hold(state, Buffer.from(`${formatAuditEvent(event, format)}\n`));
      startWriting(state);
    },
    close: () => close(state),
  };
}

function hold(state: FileState, line: Buffer): void {
  if (state.held.length < MAX_HELD_LINES) state.held.push(line);
  else state.lost += 1;
}

function startWriting(state: FileState): void {
  if (state.writing !== null || state.held.length === 0) return;
  state.writing = writeHeld(state).finally(() => {
    state.writing = null;
  });
}

/** Never rejects: the caller of `write` is not waiting for it. */
async function writeHeld(state: FileState): Promise<void> {
  try {
    while (state.held.length > 0) {
      const file = await currentFile(state);
      await writeFirst(state, file);
    }
    if (state.lost > 0)
      state.onError(new Error(`${state.lost} audit events were lost: the file could not be written`));
    state.lost = 0;
  } catch (error) {
    state.onError(
      new Error(`the audit file ${state.path} cannot be written; trying again`, { cause: error }),
    );
  }
}

/** A full disk may take half a line: the rest of it follows when there is room. */
async function writeFirst(state: FileState, file: FileHandle): Promise<void> {
  const line = state.held[0];
  if (line === undefined) return;
  const { bytesWritten } = await file.write(line, state.writtenBytes);
  state.writtenBytes += bytesWritten;
  if (state.writtenBytes < line.length) return;
  state.held.shift();
  state.writtenBytes = 0;
}

async function currentFile(state: FileState): Promise<FileHandle> {
  if (state.file !== null && (await isStillThere(state.path, state.file))) return state.file;
  const old = state.file;
  state.file = null;
  state.writtenBytes = 0;
  await old?.close();
  await mkdir(dirname(state.path), { recursive: true, mode: 0o700 });
  state.file = await open(state.path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
  return state.file;
}

async function isStillThere(path: string, file: FileHandle): Promise<boolean> {
  const [named, opened] = await Promise.all([stat(path).catch(() => null), file.stat()]);
  return named !== null && named.ino === opened.ino && named.dev === opened.dev;
}

async function close(state: FileState): Promise<void> {
  await state.writing;
  startWriting(state);
  await state.writing;
  const lost = state.held.length + state.lost;
  state.held = [];
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
