import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../platform/ids.ts';
import { makeFolder } from '../../platform/make-folder.ts';

/** Time for which a copy that nobody uses is kept: the pages of a document are read one after another. */
const KEPT_MS = 60_000;
/** Copies that nobody uses take no more than this, but the newest of any size. */
const KEPT_BYTES = 128 * 1024 * 1024;

/** Files of this computer that hold objects of a bucket while they are used, and shortly after. */
export function createWorkingCopies(folder: string): WorkingCopies {
  return new WorkingCopies(folder);
}

interface Copy {
  readonly path: string;
  readonly isThere: Promise<boolean>;
  users: number;
  sizeBytes: number;
  isForgotten: boolean;
  timer: NodeJS.Timeout | undefined;
}

class WorkingCopies {
  readonly #folder: string;
  /** The one that was used last comes last. */
  readonly #copies = new Map<string, Copy>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns a path for a new file. */
  async newPath(): Promise<string> {
    await makeFolder(this.#folder);
    return join(this.#folder, newId());
  }

  /**
   * Lends the copy of a document, which `fetch` writes where there is none; it answers false when there is no such document,
   * and so does this. The file stays until the returned `release` is called.
   */
  async borrow(
    name: string,
    fetch: (path: string) => Promise<boolean>,
  ): Promise<{ path: string; release: () => void } | null> {
    const known = this.#copies.get(name);
    // The folder of files in work is emptied at the start of a gateway.
    if (known && known.sizeBytes > 0 && !existsSync(known.path)) this.forget(name);
    const copy = this.#copies.get(name) ?? this.#add(name, await this.newPath(), fetch);
    copy.users += 1;
    clearTimeout(copy.timer);
    try {
      if (!(await copy.isThere)) {
        this.#release(name, copy);
        return null;
      }
    } catch (error) {
      this.#release(name, copy);
      throw error;
    }
    return { path: copy.path, release: () => this.#release(name, copy) };
  }

  /** Removes the copy of a document once nobody uses it, because the document changes. */
  forget(name: string): void {
    const copy = this.#copies.get(name);
    if (copy === undefined) return;
    this.#copies.delete(name);
    copy.isForgotten = true;
    clearTimeout(copy.timer);
    if (copy.users === 0) void rm(copy.path, { force: true });
  }

  close(): void {
    for (const name of this.#copies.keys()) this.forget(name);
  }

  #add(name: string, path: string, fetch: (path: string) => Promise<boolean>): Copy {
    const isThere = fetch(path);
    const copy: Copy = { path, isThere, users: 0, sizeBytes: 0, isForgotten: false, timer: undefined };
    this.#copies.set(name, copy);
    isThere.then(
      async (found) => {
        if (!found) return this.#drop(name, copy);
        copy.sizeBytes = (await stat(path).catch(() => null))?.size ?? 0;
      },
      () => this.#drop(name, copy),
    );
    return copy;
  }

  #drop(name: string, copy: Copy): void {
    if (this.#copies.get(name) === copy) this.#copies.delete(name);
    copy.isForgotten = true;
  }

  #release(name: string, copy: Copy): void {
    copy.users -= 1;
    if (copy.users > 0) return;
    if (copy.isForgotten) return void rm(copy.path, { force: true });
    this.#copies.delete(name);
    this.#copies.set(name, copy);
    copy.timer = setTimeout(() => this.forget(name), KEPT_MS).unref();
    this.#keepWithinBounds();
  }

  #keepWithinBounds(): void {
    const idle = [...this.#copies].filter(([, { users }]) => users === 0).reverse();
    let kept = 0;
    for (const [name, { sizeBytes }] of idle) {
      kept += sizeBytes;
      if (kept > KEPT_BYTES && name !== idle[0]?.[0]) this.forget(name);
    }
  }
}
