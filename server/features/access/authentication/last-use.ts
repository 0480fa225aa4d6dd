import type { Database, WriteTx } from '../../../db/database.ts';
import type { Logger } from '../../../platform/logger.ts';

/** Writes that no request waits for and whose failure fails no request. */
export interface LastUse {
  record(work: (tx: WriteTx) => Promise<void>): void;
  /** Waits for the writes under way. */
  settled(): Promise<void>;
}

export function createLastUse(parts: { db: Database; logger: Logger }): LastUse {
  const underWay = new Set<Promise<void>>();
  return {
    record(work) {
      const writing: Promise<void> = parts.db
        .transaction(work)
        .catch((error: unknown) => parts.logger.warn({ error }, 'the last use of a credential was not noted'))
        .finally(() => underWay.delete(writing));
      underWay.add(writing);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}
