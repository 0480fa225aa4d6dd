import type { OutboundParts } from './parts.ts';
import { keptArtifacts } from './store/job-store.ts';

const BATCH = 500;

/**
 * Removes documents that were written but whose acceptance never committed. The names are taken before there are
 * requests, so that none is that of a fax being accepted; with 100,000 documents asking for their faxes takes a second,
 * which no start waits for.
 */
export class OrphanSweep {
  readonly #parts: OutboundParts;
  #stopping = false;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: OutboundParts) {
    this.#parts = parts;
  }

  /** Resolves when the names are known; the rest goes on beside. Called once, before requests are taken. */
  async start(): Promise<void> {
    // Where other gateways share the documents, one may just be writing what this would take for an orphan.
    if (!this.#parts.db.capabilities.soleProcess) return;
    const names: string[] = [];
    for await (const name of this.#parts.storage.names('fax/')) names.push(name);
    this.#running = this.#sweep(names).catch((error: unknown) => {
      this.#parts.logger.error({ error }, 'documents that belong to no fax could not be removed');
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
    const { db, storage, logger } = this.#parts;
    for (let i = 0; i < names.length && !this.#stopping; i += BATCH) {
      const batch = names.slice(i, i + BATCH);
      const kept = await keptArtifacts(db.read, batch);
      for (const name of batch.filter((each) => !kept.has(each))) {
        await storage.remove(name);
        logger.info({ name }, 'removed a document that belongs to no fax');
      }
      // The embedded database answers at once; requests come between two batches.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
