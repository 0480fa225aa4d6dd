import type { z } from 'zod';
import type { FaxCounts } from '../../../../shared/api/outbound-shapes.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { DeliveryState } from '../../../../shared/states/outbound.ts';
import { changedAmong, historyIdBefore } from '../../../platform/changed-ids.ts';
import { isoTime, storedTime } from '../../../platform/clock.ts';
import { requestedNumber } from '../../../platform/phone-number.ts';
import { searchTerms } from '../../../platform/search-text.ts';
import { searchedDay } from '../../../platform/searched-day.ts';
import type { Caller } from '../../access/service.ts';
import { badNumber } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { changedIds } from '../store/history-store.ts';
import { listJobs } from '../store/job-list.ts';
import { countByState } from '../store/state-counts.ts';
import { countUnseen } from '../store/unseen-store.ts';
import { countWaiting } from '../store/waiting-store.ts';
import type { FaxRecord } from '../types.ts';
import { testFaxesFor, visibleFaxes } from '../visibility.ts';
import { recordsOf } from './records.ts';

/** Query for the list of faxes; times may have any offset, the number is as typed. */
export interface ListRequest {
  /** Restricts the list to these. */
  readonly ids?: readonly string[] | undefined;
  readonly state?: readonly DeliveryState[] | undefined;
  readonly to?: string | undefined;
  readonly case_id?: string | undefined;
  readonly broadcast_id?: string | undefined;
  readonly legal_hold?: boolean | undefined;
  readonly scheduled?: boolean | undefined;
  readonly created_by?: string | undefined;
  readonly q?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly updated_since?: string | undefined;
  readonly include_test?: boolean | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists the faxes the caller may see, newest first. Throws a 400 refusal for an invalid number. */
export async function listFaxes(
  parts: Pick<
    OutboundParts,
    'db' | 'clock' | 'settings' | 'contacts' | 'progress' | 'costs' | 'received' | 'holds'
  >,
  caller: Caller,
  request: ListRequest,
): Promise<{ items: FaxRecord[]; next_cursor: string | null }> {
  const { limit, cursor } = request;
  const to = request.to === undefined ? undefined : requestedNumber(request.to, parts.settings.country());
  if (to === null) throw badNumber();
  const ids = await idsToRead(parts, request);
  const isNothing = request.scheduled && request.state && !request.state.includes('ready');
  if (ids?.length === 0 || isNothing) return { items: [], next_cursor: null };
  const page = await listJobs(parts.db.read, {
    ids,
    scope: visibleFaxes(caller),
    testFaxes: testFaxesFor(caller, request.include_test ?? false),
    to,
    states: request.state,
    caseId: request.case_id,
    broadcastId: request.broadcast_id,
    holds: request.legal_hold ? await parts.holds.open(parts.db.read) : undefined,
    waitingAfter: request.scheduled ? isoTime(parts.clock.now()) : undefined,
    createdBy: request.created_by,
    texts: request.q === undefined ? undefined : await searchTexts(parts, caller, request.q),
    day: request.q === undefined ? null : searchedDay(request.q, localityOf(parts)),
    since: storedTime(request.since),
    until: storedTime(request.until),
    updatedSince: storedTime(request.updated_since),
    limit,
    cursor,
  });
  const items = await recordsOf(parts, caller, page.items);
  return { items, next_cursor: page.next_cursor };
}

/** Returns the faxes that the list is restricted to: few that changed are known from the history. */
async function idsToRead(
  { db, clock }: Pick<OutboundParts, 'db' | 'clock'>,
  { ids, updated_since: since }: ListRequest,
): Promise<readonly string[] | undefined> {
  if (since === undefined) return ids;
  const begin = historyIdBefore(since, clock.now());
  return begin === null ? [] : changedAmong(ids, (limit) => changedIds(db.read, begin, limit));
}

const localityOf = ({ settings }: Pick<OutboundParts, 'settings'>) => ({
  country: settings.country(),
  timeZone: settings.timeZone(),
});

/**
 * Returns the search texts: the typed text, and the numbers of the contacts it finds, since the searched text of a fax
 * contains its number.
 */
async function searchTexts(
  { contacts }: Pick<OutboundParts, 'contacts'>,
  caller: Caller,
  typed: string,
): Promise<string[]> {
  return [...searchTerms(typed), ...(await contacts.findNumbers(caller, typed))];
}

/** Counts the faxes by state, of all that the caller may see and of the caller's own. */
export async function countFaxes(
  { db, clock }: Pick<OutboundParts, 'db' | 'clock'>,
  caller: Caller,
): Promise<z.infer<typeof FaxCounts>> {
  const { id: personId } = caller.principal;
  const scope = visibleFaxes(caller);
  const counted = { scope, isTest: caller.isTest, most: LIMITS.counted };
  return {
    all: await countByState(db.read, counted),
    mine: await countByState(db.read, { ...counted, ownOf: personId }),
    scheduled: await countWaiting(db.read, {
      scope,
      testFaxes: testFaxesFor(caller, false),
      after: isoTime(clock.now()),
      personId,
    }),
    unseen_failed: caller.isTest ? 0 : await countUnseen(db.read, personId),
  };
}
