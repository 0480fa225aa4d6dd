import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { DocumentBucket, Storage, UnclaimedDocument } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { removeTemporaryFiles } from '../../platform/temporary-files.ts';
import { advance } from './join-store.ts';
import { documentNames, findNamed, inBatches } from './named.ts';
import type { DocumentOwner } from './port.ts';
import { UNCLAIMED_DAYS } from './types.ts';

const HOUR_MS = 3_600_000;
const AGAIN_MS = HOUR_MS / 6;
/** Age at which a temporary file is no longer being written. */
const TEMPORARY_MS = HOUR_MS;
/** A document is stored moments before the row that names it commits; other gateways may be doing that now. */
const ORPHAN_MS = 6 * HOUR_MS;
const UNCLAIMED_MS = UNCLAIMED_DAYS * 24 * HOUR_MS;
/** A gateway can be killed between store and mark once; hour after hour another one writes its mark elsewhere. */
const MAX_BACKLOG = 3;
const REASON = 'No fax names this document.';

/** Names of documents that were stored since the start. */
type Added = ReturnType<Storage['recordNames']>['names'];

export interface UpkeepParts {
  readonly db: Database;
  readonly storage: Storage;
  readonly bucket: Pick<DocumentBucket, 'state' | 'refresh'>;
  readonly owners: readonly DocumentOwner[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absolute. */
  readonly dataFolder: string;
}

/** Keeps stored documents and store together, and removes files that crashes left. */
export function createUpkeep(parts: UpkeepParts): Upkeep {
  return new Upkeep(parts);
}

class Upkeep {
  readonly #parts: UpkeepParts;
  #isStopping = false;
  /** Epoch milliseconds. */
  #dueAt = 0;
  #isMatched = true;
  /** Number of times in a row that the store was ahead. */
  #backlog = 0;
  #running: Promise<void> = Promise.resolve();
  #added: ReturnType<Storage['recordNames']> | null = null;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  /** False while the folder of documents is not that of the store. */
  get isMatched(): boolean {
    return this.#isMatched;
  }

  /** Records from now on which documents are new. Called before there is any work. */
  begin(): void {
    this.#dueAt = this.#parts.clock.now() + HOUR_MS;
    this.#added = this.#parts.storage.recordNames();
  }

  /**
   * Clears for the first time, which no start waits for: with 100,000 documents querying their rows takes a second. Where
   * no other gateway shares the documents, those of the start are no file on its way, however new they are.
   */
  clearAfterStart(): void {
    const { soleProcess } = this.#parts.db.capabilities;
    this.#running = this.#try(async () => {
      await this.#clear(soleProcess ? (this.#added?.names ?? null) : null);
    }).finally(() => this.#added?.stop());
  }

  /** Runs the hourly work, if it is due, and waits for work under way. */
  async run(): Promise<void> {
    await this.#running;
    const now = this.#parts.clock.now();
    if (this.#parts.bucket.state().problem !== null) await this.#refreshBucket();
    // A clock that was set back must not put it off for long.
    if (this.#isStopping || (now < this.#dueAt && now > this.#dueAt - 2 * HOUR_MS)) return this.#running;
    this.#dueAt = now + HOUR_MS;
    this.#running = this.#try(async () => {
      const state = await advance(this.#parts.db, this.#parts.storage);
      this.#backlog = state === 'behind' ? this.#backlog + 1 : 0;
      this.#isMatched = state !== 'apart' && this.#backlog < MAX_BACKLOG;
      if (this.#isMatched) await this.#clear();
    });
    await this.#running;
  }

  /** A copy of the store that was made while the gateway ran is older than its documents from then on. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
    if (this.#isMatched) await this.#try(() => advance(this.#parts.db, this.#parts.storage));
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { clock, logger } = this.#parts;
      this.#dueAt = clock.now() + AGAIN_MS;
      logger.error({ error }, 'stored documents could not be checked; it is tried again in ten minutes');
    }
  }

  /** `added` are the documents that may be on their way; null when each may be that is new enough. */
  async #clear(added: Added | null = null): Promise<void> {
    await this.#refreshBucket();
    await this.#removeTemporary();
    await this.#putBack();
    const { storage, owners } = this.#parts;
    for await (const names of inBatches(documentNames(storage, owners))) {
      if (this.#isStopping) return;
      await this.#unclaim(names, added);
    }
    await this.#removeExpired();
  }

  /** The bucket keeps the reason of a failure in its state. */
  async #refreshBucket(): Promise<void> {
    try {
      await this.#parts.bucket.refresh();
    } catch (error) {
      this.#parts.logger.warn({ error }, 'the bucket of documents is not usable; it is tried again');
    }
  }

  async #removeTemporary(): Promise<void> {
    const { clock, dataFolder, logger, storage } = this.#parts;
    const before = clock.now() - TEMPORARY_MS;
    const own = ['files', 'inbound'].map((name) => join(dataFolder, name));
    const enters = (folder: string) =>
      !own.includes(folder) && !basename(folder).startsWith('before_restore_');
    const removed =
      (await storage.removeTemporary(before)) + (await removeTemporaryFiles(dataFolder, { before, enters }));
    if (removed > 0) logger.info({ removed }, 'files that were never written to their end were removed');
  }

  /** A store that names a document again, as when the right one was put back, gets it. */
  async #putBack(): Promise<void> {
    const { storage, logger } = this.#parts;
    for await (const documents of inBatches(storage.unclaimed.list())) {
      const named = await this.#named(documents.map(({ name }) => name));
      for (const document of documents.filter(({ name }) => named.has(name)))
        if (await storage.unclaimed.putBack(document))
          logger.warn({ name: document.name }, 'a fax names an unclaimed document again; it was put back');
    }
  }

  async #unclaim(names: readonly string[], added: Added | null): Promise<void> {
    if (this.#isDamaged) return;
    const { storage, clock, logger } = this.#parts;
    const named = await this.#named(names);
    const now = clock.now();
    for (const name of names.filter((each) => !named.has(each))) {
      const changedAt = await storage.changedAt(name);
      const mayBeOnItsWay = added === null || added.has(name);
      if (changedAt === null || (mayBeOnItsWay && changedAt > now - ORPHAN_MS)) continue;
      if (await storage.unclaimed.add(name, { since: isoTime(now), reason: REASON }))
        logger.warn({ name, days: UNCLAIMED_DAYS }, 'no fax names a document; it is kept as unclaimed');
    }
    // The embedded database responds at once; requests run between two batches.
    await setImmediate();
  }

  async #removeExpired(): Promise<void> {
    const { storage, clock, logger } = this.#parts;
    const expired: UnclaimedDocument[] = [];
    for await (const document of storage.unclaimed.list())
      if (Date.parse(document.since) < clock.now() - UNCLAIMED_MS) expired.push(document);
    for (const document of expired) {
      if (this.#isStopping || this.#isDamaged) return;
      await storage.unclaimed.remove(document);
      logger.info({ name: document.name }, 'an unclaimed document was removed after its time');
    }
  }

  /** A damaged store may leave out the faxes that name a document. */
  get #isDamaged(): boolean {
    return this.#parts.db.damage.isFound;
  }

  #named(names: readonly string[]): Promise<Set<string>> {
    return findNamed(this.#parts.owners, this.#parts.db.read, names);
  }
}
