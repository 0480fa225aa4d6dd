import type { Database, WriteTx } from '../../../db/database.ts';
import type { Logger } from '../../../platform/logger.ts';
import { createPendingWork } from '../../../platform/pending-work.ts';

/** Writes that no request waits for and whose failure fails no request. */
export interface LastUse {
  record(work: (tx: WriteTx) => Promise<void>): void;
  /** Waits for the writes under way. */
  settled(): Promise<void>;
}

export function createLastUse(parts: { db: Database; logger: Logger }): LastUse {
  const pending = createPendingWork();
  return {
    record(work) {
      const writing = parts.db
        .transaction(work)
        .catch((error: unknown) =>
          parts.logger.warn({ error }, 'the last use of a credential was not noted'),
        );
      pending.add(writing);
    },
    settled: () => pending.settled(),
  };
}
