import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { CountedEvents } from './counted.ts';
import { auditAsCsv, auditAsJson } from './export.ts';
import { listSecurityEvents, type SecurityEventFilter, type SecurityEventQuery } from './store.ts';
import type { SecurityEntry } from './types.ts';

/** The security audit for those who may read it. */
export interface AuditReading {
  /** Newest first. Throws a 400 refusal on a wrong cursor. */
  list(query: SecurityEventQuery): Promise<{ items: SecurityEntry[]; next_cursor: string | null }>;
  /** The whole of the filter as text, read from the store while it is taken. */
  csv(filter: SecurityEventFilter): AsyncGenerator<string>;
  json(filter: SecurityEventFilter, present: (entry: SecurityEntry) => unknown): AsyncGenerator<string>;
  /** The day of a file that is made now, in UTC. */
  today(): string;
}

export function createAuditReading(parts: {
  db: Database;
  clock: Clock;
  counted: CountedEvents;
}): AuditReading {
  const { db, clock, counted } = parts;
  const read = () => db.read;
  // What this gateway counted belongs to it. While it cannot be written, what is there is shown, and a warning elsewhere.
  const written = () => counted.flush().catch(() => undefined);
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
    today: () => isoTime(clock.now()).slice(0, 10),
  };
}
