import { closeSync, mkdirSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Effect of a fault on a change. `torn`: half of it arrives and the process ends; `short`: half arrives and the process
 * continues.
 */
export type DiskFault = 'EIO' | 'ENOSPC' | 'torn' | 'kill' | 'short';

const MODES: Record<DiskFault, bigint> = { EIO: 1n, ENOSPC: 2n, torn: 3n, kill: 4n, short: 5n };
/** 64-bit numbers in the byte order of the machine, as `struct control` of disk-faults.c has them. */
const FIELDS = ['count', 'first', 'length', 'mode', 'hits', 'serial', 'keeps'] as const;
type Field = (typeof FIELDS)[number];

/** The disk of processes that were started with `environment`, as far as it lies below one folder. */
export interface DiskControl {
  readonly environment: Readonly<Record<string, string>>;
  /** Folder of the journal from which changes can be undone. */
  readonly journalFolder: string;
  /** Returns the number of changes so far. */
  count(): number;
  /** Returns how many of them were hit. */
  hitCount(): number;
  /** Hits `length` changes from the `after`-th from now on, counted from 1. */
  inject(fault: DiskFault, after: number, length?: number): void;
  /** The disk is well again. */
  clearFaults(): void;
  /** Forgets what could be taken back. */
  clearJournal(): void;
  close(): void;
}

/**
 * Creates the control of a disk. `state` is a folder outside of `root`, on the same file system. With `keeps`, nothing
 * is flushed, and changes that were not reported as flushed can be undone. With `dropsFolderFlushes`, folder flushes of
 * the processes have no effect.
 */
export function createDiskControl(parts: {
  library: string;
  root: string;
  state: string;
  keeps: boolean;
  dropsFolderFlushes?: boolean;
}): DiskControl {
  const { library, root, state } = parts;
  const journalFolder = join(state, 'journal');
  mkdirSync(journalFolder, { recursive: true });
  const path = join(state, 'control');
  writeFileSync(path, Buffer.alloc(8 * FIELDS.length));
  const file = openSync(path, 'r+');
  const read = (field: Field): number => {
    const bytes = Buffer.alloc(8);
    readSync(file, bytes, 0, 8, 8 * FIELDS.indexOf(field));
    return Number(bytes.readBigUInt64LE());
  };
  const write = (field: Field, value: bigint): void => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value);
    writeSync(file, bytes, 0, 8, 8 * FIELDS.indexOf(field));
  };
  write('keeps', parts.keeps ? 1n : 0n);
  return {
    journalFolder,
    environment: {
      LD_PRELOAD: library,
      DISK_FAULTS_ROOT: root,
      DISK_FAULTS_CONTROL: path,
      DISK_FAULTS_JOURNAL: journalFolder,
      ...(parts.dropsFolderFlushes ? { DISK_FAULTS_NO_FOLDER_FLUSH: '1' } : {}),
      // Else the system's own queue could carry out changes that nobody sees.
      UV_USE_IO_URING: '0',
    },
    count: () => read('count'),
    hitCount: () => read('hits'),
    inject(fault, after, length = 1) {
      write('first', 0n);
      write('mode', MODES[fault]);
      write('length', BigInt(length));
      write('first', BigInt(read('count') + after));
    },
    clearFaults: () => write('first', 0n),
    clearJournal() {
      rmSync(journalFolder, { recursive: true, force: true });
      mkdirSync(journalFolder);
    },
    close: () => closeSync(file),
  };
}
