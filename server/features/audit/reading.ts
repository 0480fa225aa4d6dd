import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Seal } from '../../platform/seal.ts';
import type { CountedEvents } from './counted.ts';
import { auditAsCsv, auditAsJson, type PresentEntries } from './export.ts';
import {
  listSecurityEvents,
  type SecurityEventFilter,
  type SecurityEventQuery,
} from './store/event-store.ts';
import type { SecurityEntry } from './types.ts';
import { type AuditVerification, verifySecurityAudit } from './verify.ts';

/** The security audit for those who may read it. */
export interface AuditReader {
  /** Newest first. Throws a 400 refusal on a wrong cursor. */
  list(query: SecurityEventQuery): Promise<{ items: SecurityEntry[]; next_cursor: string | null }>;
  /** Yields the matching entries as text, reading the store as the text is consumed. */
  csv(filter: SecurityEventFilter): AsyncGenerator<string>;
  json(filter: SecurityEventFilter, present: PresentEntries): AsyncGenerator<string>;
  /** Verifies that the whole log is as it was written. Concurrent calls share one result. */
  verify(): Promise<AuditVerification>;
  /** The day of a file that is made now, in UTC. */
  today(): string;
}

export function createAuditReader(parts: {
  db: Database;
  clock: Clock;
  counted: CountedEvents;
  seal: Seal;
}): AuditReader {
  const { db, clock, counted, seal } = parts;
  const read = () => db.read;
  // Includes the counts of this gateway. While they cannot be written, the stored ones are shown, and a warning appears
  // elsewhere.
  const written = () => counted.flush().catch(() => undefined);
  let verifying: Promise<AuditVerification> | null = null;
  const verify = async () => {
    await counted.fix().catch(() => undefined);
    return verifySecurityAudit(read, seal);
  };
  return {
    async list(query) {
      await written();
      return listSecurityEvents(db.read, query);
    },
    async *csv(filter) {
      await written();
      yield* auditAsCsv(read, filter);
    },
    async *json(filter, present) {
      await written();
      yield* auditAsJson(read, filter, present);
    },
    verify() {
      verifying ??= verify().finally(() => {
        verifying = null;
      });
      return verifying;
    },
    today: () => isoTime(clock.now()).slice(0, 10),
  };
}
