import {
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../../fuzz/random.ts';

/** One change as the shim kept it: `W`rite, `S`ynced file, synced `D`irectory, and changes of names. */
interface Change {
  readonly kind: string;
  readonly inode: bigint;
  /** Of a write; of a name that was taken away, the number under which its file is kept. */
  readonly offset: number;
  /** Of the file, before. */
  readonly size: number;
  readonly path: string;
  /** Bytes that the write replaced, or the second name of a rename. */
  readonly bytes: Buffer;
}

const HEADER_BYTES = 48;
const BLOCK = 4096;
const NAMES = ['C', 'U', 'R', 'L', 'M', 'X'];

/**
 * Changes a folder to a state that a power failure may leave. Each block of a file that was not reported as flushed is
 * present or missing, and the last renames in each folder may be undone. Only a flush of that folder makes them
 * durable: no journaling file system guarantees that another flush includes them. The processes must have ended.
 */
export function applyPowerFailure(parts: { root: string; journalFolder: string; random: Random }): void {
  const { root, journalFolder, random } = parts;
  const changes = readChanges(join(journalFolder, 'journal'));
  undoRenames(changes, parts);
  const paths = pathsByInode(root);
  for (const [inode, writes] of unflushedWrites(changes)) {
    const path = paths.get(inode);
    if (path !== undefined) undoWrites(path, writes, random);
  }
  for (const path of paths.values()) if (path.endsWith('-shm')) rmSync(path);
}

function readChanges(path: string): Change[] {
  if (!existsSync(path)) return [];
  const all = readFileSync(path);
  const changes: Change[] = [];
  for (let at = 0; at + HEADER_BYTES <= all.length; ) {
    const pathLength = Number(all.readBigUInt64LE(at + 32));
    const length = Number(all.readBigUInt64LE(at + 40));
    const start = at + HEADER_BYTES;
    changes.push({
      kind: String.fromCodePoint(all[at] ?? 0),
      inode: all.readBigUInt64LE(at + 8),
      offset: Number(all.readBigInt64LE(at + 16)),
      size: Number(all.readBigInt64LE(at + 24)),
      path: all.toString('utf8', start, start + pathLength),
      bytes: all.subarray(start + pathLength, start + pathLength + length),
    });
    at = start + pathLength + length;
  }
  return changes;
}

function undoRenames(
  changes: readonly Change[],
  { root, journalFolder, random }: { root: string; journalFolder: string; random: Random },
): void {
  const open = new Map<string, Change[]>();
  for (const change of changes) {
    if (change.kind === 'D') open.delete(change.path);
    // The folder that holds everything was there before.
    if (!NAMES.includes(change.kind) || change.path === root) continue;
    const folder = folderOf(change);
    open.set(folder, [...(open.get(folder) ?? []), change]);
  }
  const lost = new Set<Change>();
  for (const folder of open.values()) {
    const kept = random.pick([0, folder.length, random.int(folder.length + 1)]);
    for (const change of folder.slice(kept)) lost.add(change);
  }
  for (const change of changes.toReversed()) if (lost.has(change)) undoRename(change, journalFolder);
}

/** Returns the folder whose flush makes a rename durable: the one that gets the new name. */
function folderOf({ kind, path, bytes }: Change): string {
  return dirname(kind === 'R' || kind === 'L' ? bytes.toString('utf8') : path);
}

function undoRename({ kind, path, offset, bytes }: Change, journalFolder: string): void {
  const second = bytes.toString('utf8');
  const restoreFile = (name: string) => {
    if (offset === 0 || existsSync(name)) return;
    // A kill may have come between the removal of its folder and the record of that.
    mkdirSync(dirname(name), { recursive: true, mode: 0o700 });
    linkSync(join(journalFolder, String(offset)), name);
  };
  switch (kind) {
    case 'C':
    case 'M':
      return rmSync(path, { recursive: true, force: true });
    case 'L':
      return rmSync(second, { force: true });
    case 'X':
      return void mkdirSync(path, { recursive: true, mode: 0o700 });
    case 'R':
      if (existsSync(second)) renameSync(second, path);
      return restoreFile(second);
    default:
      return restoreFile(path);
  }
}

/** By file, the writes since it was last flushed, oldest first. */
function unflushedWrites(changes: readonly Change[]): Map<bigint, Change[]> {
  const writes = new Map<bigint, Change[]>();
  for (const change of changes) {
    if (change.kind === 'S') writes.delete(change.inode);
    if (change.kind === 'W') writes.set(change.inode, [...(writes.get(change.inode) ?? []), change]);
  }
  return writes;
}

/** Every file below a folder by its number in the file system. */
function pathsByInode(root: string): Map<bigint, string> {
  const paths = new Map<bigint, string>();
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    const found = lstatSync(path, { bigint: true });
    if (found.isFile()) paths.set(found.ino, path);
    if (found.isDirectory()) for (const [inode, place] of pathsByInode(path)) paths.set(inode, place);
  }
  return paths;
}

function undoWrites(path: string, writes: readonly Change[], random: Random): void {
  const now = readFileSync(path);
  const { mode } = statSync(path);
  for (const write of writes.toReversed()) undoWrite(path, write);
  const before = readFileSync(path);
  const choice = random.pick(['before', 'now', 'mixed'] as const);
  if (choice === 'before') return;
  const after = choice === 'now' ? now : mixBlocks(before, now, random);
  writeFileSync(path, after, { mode });
}

function undoWrite(path: string, { offset, size, bytes }: Change): void {
  const file = openSync(path, 'r+');
  try {
    ftruncateSync(file, size);
    if (bytes.length > 0) writeSync(file, bytes, 0, bytes.length, offset);
  } finally {
    closeSync(file);
  }
}

/** Some blocks arrived, others did not; where a block of a longer file did not arrive there is nothing. */
function mixBlocks(before: Buffer, now: Buffer, random: Random): Buffer {
  const result = Buffer.alloc(random.chance(50) ? now.length : before.length);
  for (let at = 0; at < result.length; at += BLOCK)
    (random.chance(50) ? now : before).subarray(at, at + BLOCK).copy(result, at);
  return result;
}
