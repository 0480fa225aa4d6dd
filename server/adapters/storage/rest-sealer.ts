import { createReadStream } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { replaceDurably, TEMPORARY_PREFIX } from '../../platform/durable-file.ts';
import { errorCode } from '../../platform/errors.ts';
import { HEADER_BYTES, isSealed, type NewFileKey, sealStream } from '../../platform/file-cipher.ts';
import type { NameLocks } from './name-locks.ts';

interface RestParts {
  readonly root: string;
  /** Null while nothing is to be sealed. */
  readonly newKey: () => NewFileKey | null;
  /** Returns the start of the header anew for a key that a former data key sealed by now, null for another one. */
  readonly renewed: (key: NewFileKey) => Uint8Array | null;
  readonly locks: NameLocks;
  /** Called with the path of each file that was sealed. */
  readonly renew: (path: string) => Promise<unknown>;
  readonly names: () => AsyncIterable<string>;
}

/** Seals the files that were stored before sealing was wanted: one at a time, beside everything else. */
export function createRestSealer(parts: RestParts): RestSealer {
  return new RestSealer(parts);
}

class RestSealer {
  readonly #parts: RestParts;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: RestParts) {
    this.#parts = parts;
  }

  /** A second run waits for the first. What a run that was killed has sealed stays so, and the next goes on. */
  run(): Promise<void> {
    const running = this.#running.catch(() => undefined).then(() => this.#sealAll());
    this.#running = running.catch(() => undefined);
    return running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #sealAll(): Promise<void> {
    const { names, newKey, renewed, root, locks, renew } = this.#parts;
    if (newKey() === null) return;
    for await (const name of names()) {
      const key = newKey();
      if (this.#isStopped || key === null) return;
      const path = join(root, name);
      if (await isPlain(path))
        await locks.change(name, async () => {
          await seal(path, key, renewed);
          await renew(path);
        });
      // Requests and jobs come between two files.
      await setImmediate();
    }
  }
}

/** False also for one that is gone. */
async function isPlain(path: string): Promise<boolean> {
  try {
    await using file = await open(path, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return !isSealed(buffer.subarray(0, bytesRead));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The name holds the plain file or the whole sealed one, whenever the power fails. */
async function seal(path: string, key: NewFileKey, renewed: RestParts['renewed']): Promise<void> {
  if (!(await isPlain(path))) return;
  await removeDrafts(path);
  await replaceDurably(path, 0o600, async (file) => {
    await file.writeFile(sealStream(key, createReadStream(path)));
    // The plain file goes with the new name, so a kill right after it must not leave a key that the former data key alone opens.
    const start = renewed(key);
    if (start !== null) await file.write(start, 0, start.length, 0);
  });
}

/** Removes the drafts of the same file that a killed run left behind. */
async function removeDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  const left = (await readdir(folder)).filter(
    (name) => name.startsWith(TEMPORARY_PREFIX) && name.endsWith(`-${basename(path)}`),
  );
  for (const name of left) await rm(join(folder, name), { force: true });
}
