import { statfs } from 'node:fs/promises';

/** Below this the gateway says so: an acceptance needs the upload, its copy and the log of the store. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;

/** Less than this is too little for a busy day. */
const LOW_SPACE_BYTES = 1_000_000_000;

/** Returns a sentence when the disk that holds `folder` has no room for faxes; null when it has. */
export async function diskProblem(folder: string): Promise<string | null> {
  const free = await freeBytes(folder);
  return free >= MIN_FREE_BYTES ? null : `The disk is nearly full: ${megabytes(free)} MB are left.`;
}

/** Returns a warning while the disk that holds `folder` still has room, but little. */
export async function lowSpaceWarnings(folder: string): Promise<string[]> {
  const free = await freeBytes(folder);
  if (free >= LOW_SPACE_BYTES || free < MIN_FREE_BYTES) return [];
  return [
    `The disk has only ${megabytes(free)} MB left. When it is full, new faxes are refused. Free up space or remove old backups.`,
  ];
}

/** Returns true when the disk that holds `folder` still has room for faxes with so many more bytes on it. */
export async function hasRoomFor(folder: string, bytes: number): Promise<boolean> {
  return (await freeBytes(folder)) - bytes >= MIN_FREE_BYTES;
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024);
