import type { z } from 'zod';
import type { InboundCounts } from '../../../../shared/api/inbound-shapes.ts';
import {
  type Backend,
  DIRECT_BACKEND,
  IMPORT_BACKEND,
  INTERNAL_BACKEND,
  LINE_BACKEND,
  TEST_BACKEND,
} from '../../../../shared/backends.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { InboundStatus } from '../../../../shared/states/inbound.ts';
import { changedAmong } from '../../../platform/changed-ids.ts';
import { storedTime } from '../../../platform/clock.ts';
import { toE164 } from '../../../platform/phone-number.ts';
import { searchTerms, searchTextOf } from '../../../platform/search-text.ts';
import { searchedDay } from '../../../platform/searched-day.ts';
import { type Caller, mailboxLabels, visibleTo } from '../../access/service.ts';
import { holdsOn } from '../../holds/service.ts';
import { badBackend, badNumber } from '../errors.ts';
import { heldFactsOf } from '../legal-hold.ts';
import type { InboundParts } from '../parts.ts';
import { changedIds, type FaxFilter, findKeys, listFaxes } from '../store/list-store.ts';
import { originalsOf } from '../store/original-store.ts';
import { readTimes } from '../store/read-store.ts';
import type { FaxRow } from '../types.ts';
import { mayOpenDocument, mayReadWork, testFaxesFor } from '../visibility.ts';
import { type InboundAnswer, presentFax } from './present.ts';
import { readerFor } from './read-marks.ts';

/** Dependencies of presenting faxes to a caller. */
type PresentParts = Pick<InboundParts, 'db' | 'settings' | 'contacts' | 'workItems' | 'answers' | 'holds'>;

/** Request for the list; times with any offset, numbers as typed. */
export interface ListRequest {
  /** Of these only. */
  readonly ids?: readonly string[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly to_number?: string | undefined;
  readonly from_number?: string | undefined;
  readonly status?: readonly InboundStatus[] | undefined;
  /** Label or id. */
  readonly mailbox?: string | undefined;
  readonly backend?: Backend | undefined;
  /** True for Junk only, false for all but Junk. */
  readonly junk?: boolean | undefined;
  readonly legal_hold?: boolean | undefined;
  readonly include_test?: boolean | undefined;
  readonly unread?: boolean | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly updated_since?: string | undefined;
  readonly q?: string | undefined;
}

export interface InboundPage {
  items: InboundAnswer[];
  next_cursor: string | null;
}

/** Lists the faxes that the caller may see, newest first. Throws a 400 refusal for an invalid number. */
export async function listInbound(
  parts: PresentParts & Pick<InboundParts, 'receivers' | 'unreadIndex'>,
  caller: Caller,
  request: ListRequest,
): Promise<InboundPage> {
  const numberOf = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const number = toE164(text, parts.settings.country());
    if (number === null) throw badNumber();
    return number;
  };
  assertKnown(parts, request.backend);
  const labels = await mailboxLabels(parts.db.read);
  const mailboxId = request.mailbox === undefined ? undefined : mailboxOf(labels, request.mailbox);
  if (mailboxId === null) return { items: [], next_cursor: null };
  const testFaxes = testFaxesFor(caller, request.include_test ?? false);
  const updatedSince = storedTime(request.updated_since);
  const ids =
    updatedSince === undefined
      ? request.ids
      : await changedAmong(request.ids, (limit) => changedIds(parts.db.read, updatedSince, limit));
  if (ids?.length === 0) return { items: [], next_cursor: null };
  const page = await listFaxes(parts.db.read, {
    ids,
    testFaxes,
    scope: visibleTo(caller, 'inbound:list'),
    to: numberOf(request.to_number),
    from: numberOf(request.from_number),
    // A fax without a document cannot be opened.
    statuses: request.unread ? ['received'] : request.status,
    mailboxId,
    backend: request.backend,
    junk: request.junk,
    holds: request.legal_hold ? await parts.holds.open(parts.db.read) : undefined,
    unreadBy: request.unread ? readerFor(parts, caller) : undefined,
    texts: request.q === undefined ? undefined : await textsOf(parts, caller, request.q),
    day: request.q === undefined ? null : searchedDay(request.q, localityOf(parts)),
    foundMailboxIds: request.q === undefined ? [] : matchingMailboxes(labels, request.q),
    since: storedTime(request.since),
    // The index has nothing of Junk, where most stays unread, and no test faxes beside live ones.
    unreadRange:
      request.unread && request.junk !== true && testFaxes !== 'with'
        ? parts.unreadIndex.rangeOf(caller)
        : undefined,
    until: storedTime(request.until),
    updatedSince,
    limit: request.limit,
    cursor: request.cursor,
  });
  return { items: await presentAll(parts, caller, page.items), next_cursor: page.next_cursor };
}

const localityOf = ({ settings }: Pick<InboundParts, 'settings'>) => ({
  country: settings.country(),
  timeZone: settings.timeZone(),
});

/** Returns the ids of the mailboxes whose label contains the typed text. */
function matchingMailboxes(labels: ReadonlyMap<string, string>, typed: string): string[] {
  const [text] = searchTerms(typed);
  if (text === undefined) return [];
  return [...labels].filter(([, label]) => searchTextOf([label]).includes(text)).map(([id]) => id);
}

/**
 * Returns the typed text, or the numbers of the contacts that match it: search texts contain the numbers of their fax.
 */
async function textsOf(
  { contacts }: Pick<InboundParts, 'contacts'>,
  caller: Caller,
  typed: string,
): Promise<string[]> {
  return [...searchTerms(typed), ...(await contacts.findNumbers(caller, typed))];
}

export async function countInbound(
  parts: Pick<InboundParts, 'db' | 'settings' | 'unreadIndex'>,
  caller: Caller,
): Promise<z.infer<typeof InboundCounts>> {
  const scope = visibleTo(caller, 'inbound:list');
  const testFaxes = testFaxesFor(caller, false);
  const find = (statuses: InboundStatus[], more: Partial<FaxFilter> = {}) =>
    findKeys(parts.db.read, {
      scope,
      testFaxes,
      statuses,
      junk: false,
      limit: LIMITS.receivedCounted,
      ...more,
    });
  const unreadRange = parts.unreadIndex.rangeOf(caller);
  const unread = await find(['received'], { unreadBy: readerFor(parts, caller), unreadRange });
  if (unread.length < LIMITS.receivedCounted) parts.unreadIndex.store(caller, unread);
  return {
    unread: unread.length,
    waiting: (await find(['waiting'])).length,
    failed: (await find(['failed'])).length,
    junk: (await find([], { junk: true })).length,
  };
}

export async function presentAll(
  parts: PresentParts,
  caller: Caller,
  rows: readonly FaxRow[],
): Promise<InboundAnswer[]> {
  const { read } = parts.db;
  const ids = rows.map((row) => row.id);
  const times = await readTimes(read, readerFor(parts, caller), ids);
  const labels = rows.some((row) => row.mailbox_id !== null) ? await mailboxLabels(read) : new Map();
  const worked = rows.filter((row) => mayReadWork(caller, row)).map(({ id }) => id);
  const items = await parts.workItems().idsOf(read, worked);
  const numbers = rows.flatMap(({ from_number }) => from_number ?? []);
  const names = await parts.contacts.namesOf(caller, numbers);
  const originals = await originalsOf(read, ids);
  const open = await parts.holds.shown();
  const answers = await parts.answers().answersTo(caller, ids);
  return rows.map((row) =>
    presentFax(row, {
      labels,
      readAt: times.get(row.id) ?? null,
      mayOpen: mayOpenDocument(caller, row),
      workItemId: items.get(row.id) ?? null,
      contact: names.get(row.from_number ?? '') ?? null,
      original: originals.get(row.id),
      answers: answers.get(row.id) ?? [],
      legalHolds: holdsOn(open, heldFactsOf(row)),
    }),
  );
}

/** Throws a 400 refusal for a name from which no fax can have come. */
function assertKnown({ receivers }: Pick<InboundParts, 'receivers'>, backend: Backend | undefined): void {
  const own = [LINE_BACKEND, IMPORT_BACKEND, INTERNAL_BACKEND, DIRECT_BACKEND, TEST_BACKEND];
  const known = [...Object.keys(receivers), ...own];
  if (backend !== undefined && !known.includes(backend)) throw badBackend(known);
}

function mailboxOf(labels: ReadonlyMap<string, string>, wanted: string): string | null {
  if (labels.has(wanted)) return wanted;
  return [...labels].find(([, label]) => label === wanted)?.[0] ?? null;
}
