import type { Logger } from './logger.ts';

const BATCH = 500;

/** Files of one room and what tells which of them belong to something. */
export interface Orphans {
  /** False where other gateways share the files: one may just be writing what this would take for an orphan. */
  readonly isSole: boolean;
  names(): AsyncIterable<string>;
  /** Those of the names that belong to something. */
  kept(names: readonly string[]): Promise<ReadonlySet<string>>;
  remove(name: string): Promise<void>;
  readonly logger: Logger;
}

/**
 * Removes files that were written but never named by a row, because the gateway ended in between. The names are taken
 * before there is any work, so that none is that of a file on its way; with 100,000 files asking for their rows takes a
 * second, which no start waits for.
 */
export function createSweep(orphans: Orphans): OrphanSweep {
  return new OrphanSweep(orphans);
}

export type { OrphanSweep };

class OrphanSweep {
  readonly #orphans: Orphans;
  #stopping = false;
  #running: Promise<void> = Promise.resolve();

  constructor(orphans: Orphans) {
    this.#orphans = orphans;
  }

  /** Resolves when the names are known; the rest goes on beside. Called once, before requests are taken. */
  async start(): Promise<void> {
    if (!this.#orphans.isSole) return;
    const names: string[] = [];
    for await (const name of this.#orphans.names()) names.push(name);
    this.#running = this.#sweep(names).catch((error: unknown) => {
      this.#orphans.logger.error({ error }, 'documents that belong to no fax could not be removed');
    });
  }

  async done(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#running;
  }

  async #sweep(names: readonly string[]): Promise<void> {
    const { kept, remove, logger } = this.#orphans;
    for (let i = 0; i < names.length && !this.#stopping; i += BATCH) {
      const batch = names.slice(i, i + BATCH);
      const named = await kept(batch);
      for (const name of batch.filter((each) => !named.has(each))) {
        await remove(name);
        logger.info({ name }, 'removed a document that belongs to no fax');
      }
      // The embedded database answers at once; requests come between two batches.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
