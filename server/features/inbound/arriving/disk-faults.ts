import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../../platform/ids.ts';

/** Increase of free space after which storing is tried again. */
const MORE_BYTES = 1024 * 1024;
/** Free space at which a lack of space cannot have been the cause. */
const PLENTY_BYTES = 200 * 1024 * 1024;
const PROBE = Buffer.alloc(4096);

/**
 * Remembers the documents that could not be stored because of the disk, so that the provider is queried again only when
 * that is over.
 */
export function createDiskFaults(folder: string): DiskFaults {
  return new DiskFaults(folder);
}

class DiskFaults {
  readonly #folder: string;
  /** Bytes free at the failure, by fax. */
  readonly #freeBytes = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async record(faxId: string): Promise<void> {
    this.#freeBytes.set(faxId, (await this.#free()) ?? 0);
  }

  forget(faxId: string): void {
    this.#freeBytes.delete(faxId);
  }

  /**
   * Returns true while the fault of the disk lasts; false also for a fax without a fault. A disk that had plenty of
   * room only has to be writable.
   */
  async persists(faxId: string): Promise<boolean> {
    const before = this.#freeBytes.get(faxId);
    if (before === undefined) return false;
    const free = await this.#free();
    const hasRoom = free !== null && (before >= PLENTY_BYTES || free >= before + MORE_BYTES);
    return !hasRoom || !(await this.#isWritable());
  }

  async #free(): Promise<number | null> {
    try {
      const { bavail, bsize } = await statfs(this.#folder);
      return bavail * bsize;
    } catch {
      return null;
    }
  }

  async #isWritable(): Promise<boolean> {
    const path = join(this.#folder, newId());
    try {
      await writeFile(path, PROBE, { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      return false;
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
}
