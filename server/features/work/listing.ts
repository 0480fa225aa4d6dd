import type { z } from 'zod';
import type { WorkCounts, WorkView } from '../../../shared/api/work-shapes.ts';
import { LIMITS } from '../../../shared/limits.ts';
import {
  WORK_STATE_KEYS,
  WORK_STATES,
  type WorkListState,
  type WorkState,
  type WorkStateKey,
} from '../../../shared/states/work.ts';
import { changedAmong, historyIdBefore } from '../../platform/changed-ids.ts';
import { isoTime, storedTime } from '../../platform/clock.ts';
import { searchTerms, searchTextOf } from '../../platform/search-text.ts';
import { searchedDay } from '../../platform/searched-day.ts';
import { type Caller, mailboxLabels, principalNames, visibleTo } from '../access/service.ts';
import type { WorkParts } from './parts.ts';
import { presentItem, type RelatedValues, type WorkItemAnswer } from './present.ts';
import { changedIds } from './store/history-store.ts';
import { findItemResources } from './store/item-store.ts';
import { type KeyRange, overdueRange, rangesOf } from './store/list-key.ts';
import { countItems, type ItemFilter, type ItemSearch, listItems } from './store/list-store.ts';
import { mailboxRows } from './store/mailbox-store.ts';
import { type ItemRow, NOBODY } from './types.ts';
import { mayDo } from './visibility.ts';
import { stateOf } from './work-state.ts';

export interface WorkRequest {
  /** Restricts the list to these ids. */
  readonly ids?: readonly string[] | undefined;
  readonly view: WorkView;
  readonly state?: readonly WorkListState[] | undefined;
  /** Label or id. */
  readonly mailbox?: string | undefined;
  /** Part of a sender's number or name, of a note, of the mailbox's label, or a day. */
  readonly q?: string | undefined;
  readonly updated_since?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface WorkPage {
  items: WorkItemAnswer[];
  next_cursor: string | null;
}

/** Lists the items of the queue that the caller may see, in its order. */
export async function listWork(parts: WorkParts, caller: Caller, request: WorkRequest): Promise<WorkPage> {
  const { read } = parts.db;
  const { limit, cursor } = request;
  const mailboxId = await mailboxOf(parts, request.mailbox);
  if (mailboxId === null) return { items: [], next_cursor: null };
  const updatedSince = storedTime(request.updated_since);
  const ids = updatedSince === undefined ? request.ids : await idsChanged(parts, request.ids, updatedSince);
  if (ids?.length === 0) return { items: [], next_cursor: null };
  const search = request.q === undefined ? undefined : await searchOf(parts, caller, request.q);
  const filter = { ...filterOf(parts, caller, request), mailboxId, ids, search, updatedSince, limit, cursor };
  const page = await listItems(read, filter);
  return { items: await presentAll(parts, caller, page.items), next_cursor: page.next_cursor };
}

/** Returns the items that the list is restricted to: few that changed are known from their history. */
async function idsChanged(
  { db, clock }: WorkParts,
  ids: readonly string[] | undefined,
  since: string,
): Promise<readonly string[] | undefined> {
  const begin = historyIdBefore(since, clock.now());
  return begin === null ? [] : changedAmong(ids, (limit) => changedIds(db.read, begin, limit));
}

/** Returns the conditions of a typed text; undefined for an empty one. Contacts only for callers who may see them. */
async function searchOf(parts: WorkParts, caller: Caller, typed: string): Promise<ItemSearch | undefined> {
  const texts = searchTerms(typed);
  const [text] = texts;
  if (text === undefined) return undefined;
  const labels = await mailboxLabels(parts.db.read);
  return {
    texts,
    numbers: await parts.contacts.findNumbers(caller, typed),
    faxIds: await parts.inbound.about.find(parts.db.read, texts),
    mailboxIds: [...labels].filter(([, label]) => searchTextOf([label]).includes(text)).map(([id]) => id),
    day: searchedDay(typed, parts.settings.locality()),
  };
}

export async function countWork(parts: WorkParts, caller: Caller): Promise<z.infer<typeof WorkCounts>> {
  const count = (view: WorkView, state?: WorkState) =>
    countItems(
      parts.db.read,
      filterOf(parts, caller, { view, state: state === undefined ? undefined : [state] }),
      LIMITS.counted,
    );
  const mine = [await count('mine', 'open'), await count('mine', 'acknowledged')];
  return {
    open: await count('all', 'open'),
    acknowledged: await count('all', 'acknowledged'),
    done: await count('all', 'done'),
    unassigned: await count('unassigned'),
    mine: Math.min(
      mine.reduce((sum, some) => sum + some),
      LIMITS.counted,
    ),
    overdue: await count('overdue'),
    todo: await count('todo'),
  };
}

const OPEN_KEYS = WORK_STATE_KEYS.filter((key) => stateOf(key) === 'open');

/** All of them where none is named. */
function keysOf(wanted: readonly WorkListState[]): readonly WorkStateKey[] {
  if (wanted.length === 0) return WORK_STATE_KEYS;
  return WORK_STATE_KEYS.filter(
    (key) => wanted.includes(key) || (wanted.includes('open') && OPEN_KEYS.includes(key)),
  );
}

/** Returns the conditions of a view, which one index answers. */
function filterOf(
  parts: WorkParts,
  caller: Caller,
  { view, state }: Pick<WorkRequest, 'view' | 'state'>,
): ItemFilter {
  const now = isoTime(parts.clock.now());
  const keys = keysOf(state ?? []);
  const states = WORK_STATES.filter((one) => keys.some((key) => stateOf(key) === one));
  const isOpen = keys.filter((key) => stateOf(key) === 'open');
  const scope = visibleTo(caller, 'work:read');
  const narrowed = isOpen.length < OPEN_KEYS.length ? { open: { keys: isOpen, now } } : {};
  const open: readonly KeyRange[] = isOpen.length > 0 ? rangesOf(['open']) : [];
  switch (view) {
    case 'all':
      return { scope, ranges: rangesOf(states), ...narrowed };
    case 'todo': {
      const ranges = rangesOf(states.filter((one) => one !== 'done'));
      return { scope, ranges, ownerIds: [NOBODY, caller.principal.id], ...narrowed };
    }
    case 'mine':
      return { scope, ranges: rangesOf(states), ownerIds: [caller.principal.id], ...narrowed };
    case 'unassigned':
      return { scope, ranges: open, ownerIds: [NOBODY], ...narrowed };
    case 'overdue':
      return { scope, ranges: open.length === 0 ? [] : [overdueRange(now)], ...narrowed };
    case 'done':
      return { scope, ranges: rangesOf(states.filter((one) => one === 'done')) };
    default:
      return view satisfies never;
  }
}

/** Undefined for all mailboxes, null for one that there is not. */
async function mailboxOf(parts: WorkParts, wanted: string | undefined): Promise<string | null | undefined> {
  if (wanted === undefined) return undefined;
  const labels = await mailboxLabels(parts.db.read);
  if (labels.has(wanted)) return wanted;
  return [...labels].find(([, label]) => label === wanted)?.[0] ?? null;
}

export async function presentAll(
  parts: WorkParts,
  caller: Caller,
  rows: readonly ItemRow[],
): Promise<WorkItemAnswer[]> {
  const { read } = parts.db;
  const mailboxIds = [...new Set(rows.flatMap(({ mailbox_id }) => mailbox_id ?? []))];
  const backups = new Map(
    [...(await mailboxRows(read, mailboxIds))].flatMap(([id, { backup_principal_id: backup }]) =>
      backup === null ? [] : [[id, backup] as const],
    ),
  );
  const people = rows.flatMap((row) => [row.owner_id, row.acknowledged_by, row.escalated_to, row.done_by]);
  const related: Omit<RelatedValues, 'manages'> = {
    backups,
    names: await principalNames(read, [...people.flatMap((id) => id ?? []), ...backups.values()]),
    labels: mailboxIds.length === 0 ? new Map() : await mailboxLabels(read, mailboxIds),
    earlier: await earlierItems(parts, caller, rows),
    contacts: await parts.contacts.namesOf(
      caller,
      rows.flatMap(({ from_number }) => from_number ?? []),
    ),
    about: await parts.inbound.about.ofFaxes(
      read,
      rows.map(({ inbound_fax_id: id }) => id),
    ),
    incomplete: await parts.inbound.incomplete.textsByFax(rows.map(({ inbound_fax_id: id }) => id)),
    junk: await parts.inbound.junkAmong(
      read,
      rows.map(({ inbound_fax_id: id }) => id),
    ),
    callerId: caller.principal.id,
    now: isoTime(parts.clock.now()),
  };
  return rows.map((row) => presentItem(row, { ...related, manages: mayDo(caller, 'work:manage', row) }));
}

/** Returns the arrival times of the documents that some of the rows repeat, of those that the caller may see. */
async function earlierItems(
  parts: WorkParts,
  caller: Caller,
  rows: readonly ItemRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.flatMap(({ duplicate_of }) => duplicate_of ?? []))];
  const places = await findItemResources(parts.db.read, ids);
  const seen = [...places.values()].filter((place) => mayDo(caller, 'work:read', place));
  return new Map(seen.map(({ id, available_at }) => [id, available_at]));
}
