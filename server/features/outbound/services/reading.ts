import type { z } from 'zod';
import type { FaxCounts } from '../../../../shared/api/outbound-shapes.ts';
import type { ReadDb } from '../../../db/database.ts';
import type { HoldScope } from '../../../platform/hold-scope.ts';
import type { Caller } from '../../access/service.ts';
import { heldAmong, heldSentFaxes } from '../legal-hold.ts';
import { answersTo, type SentAnswer } from '../list/answers.ts';
import { type CalendarRequest, faxCalendar } from '../list/calendar.ts';
import { countFaxes, type ListRequest, listFaxes } from '../list/listing.ts';
import type { FaxEvents } from '../parts.ts';
import { eventOf } from '../record/events.ts';
import { changedSince, type HistoryEvent, listHistory } from '../store/history-store.ts';
import { countByState, findJob } from '../store/job-store.ts';
import { lastDeliveredAt } from '../store/outcome-store.ts';
import type { FaxRecord } from '../types.ts';
import { mayRead } from '../visibility.ts';
import type { FaxFinder } from './find-fax.ts';

/** Reads faxes and their history. */
export interface ReadingService {
  get(caller: Caller, id: string): Promise<FaxRecord>;
  /** Returns true when there is such a fax, and the caller may read it. */
  mayRead(caller: Caller, id: string): Promise<boolean>;
  list(caller: Caller, request: ListRequest): Promise<{ items: FaxRecord[]; next_cursor: string | null }>;
  /** Returns the answers to received faxes by the id of these, newest first: those that the caller may read. */
  answersTo(
    caller: Caller,
    inboundIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly SentAnswer[]>>;
  countFaxes(caller: Caller): Promise<z.infer<typeof FaxCounts>>;
  /** Returns the faxes that wait for their time, by the days of the installation. Throws a 400 refusal for a wrong span. */
  calendar(caller: Caller, request: CalendarRequest): ReturnType<typeof faxCalendar>;
  history(caller: Caller, id: string): Promise<HistoryEvent[]>;
  /** Lists changes recorded after a history entry by any gateway on the store. */
  changedSince(historyId: string, limit: number): Promise<FaxEvents['fax.changed'][]>;
  /** ISO 8601 UTC; null when no fax was ever delivered. */
  lastDeliveredAt(): Promise<string | null>;
  /** Counts the faxes of a legal hold, and the documents that only it keeps; `others` are the other open ones. */
  heldFaxes(hold: HoldScope, others: readonly HoldScope[]): ReturnType<typeof heldSentFaxes>;
  /** Returns those of the faxes that an open legal hold covers. Works inside a transaction. */
  heldAmong(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Counts all faxes by state. */
  counts(): Promise<Record<string, number>>;
}

export function createReadingService(
  parts: Parameters<typeof listFaxes>[0] & {
    readonly finder: FaxFinder;
  },
): ReadingService {
  const { db, finder } = parts;
  return {
    get: async (caller, id) => finder.recordOf(caller, await finder.find(caller, 'fax:read', id)),
    async mayRead(caller, id) {
      const job = await findJob(db.read, id);
      return job !== undefined && mayRead(caller, job);
    },
    list: (caller, request) => listFaxes(parts, caller, request),
    answersTo: (caller, inboundIds) => answersTo(db.read, caller, inboundIds),
    countFaxes: (caller) => countFaxes(parts, caller),
    calendar: (caller, request) => faxCalendar(parts, caller, request),
    async history(caller, id) {
      await finder.find(caller, 'fax:read', id);
      return listHistory(db.read, id);
    },
    changedSince: async (historyId, limit) => (await changedSince(db.read, historyId, limit)).map(eventOf),
    lastDeliveredAt: () => lastDeliveredAt(db.read),
    heldFaxes: (hold, others) => heldSentFaxes(parts, hold, others),
    heldAmong: (from, ids) => heldAmong(parts, from, ids),
    counts: () => countByState(db.read),
  };
}
