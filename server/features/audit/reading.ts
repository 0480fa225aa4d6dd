import type { Database } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { auditAsCsv, auditAsJson } from './export.ts';
import { listSecurityEvents, type SecurityEventFilter, type SecurityEventQuery } from './store.ts';
import type { SecurityEntry } from './types.ts';

/** The security audit for those who may read it. */
export interface AuditReading {
  /** Newest first. Throws a 400 refusal on a wrong cursor. */
  list(query: SecurityEventQuery): Promise<{ items: SecurityEntry[]; next_cursor: string | null }>;
  /** The whole of the filter as text, read from the store while it is taken. */
  csv(filter: SecurityEventFilter): AsyncIterable<string>;
  json(filter: SecurityEventFilter, present: (entry: SecurityEntry) => unknown): AsyncIterable<string>;
  /** The day of a file that is made now, in UTC. */
  today(): string;
}

export function createAuditReading({ db, clock }: { db: Database; clock: Clock }): AuditReading {
  const read = () => db.read;
  return {
    list: (query) => listSecurityEvents(db.read, query),
    csv: (filter) => auditAsCsv(read, filter),
    json: (filter, present) => auditAsJson(read, filter, present),
    today: () => isoTime(clock.now()).slice(0, 10),
  };
}
