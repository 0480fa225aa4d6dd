import type { Permission } from '../../../shared/permissions.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { type Caller, principalNames } from '../access/service.ts';
import { change } from './change.ts';
import { ItemChangedError } from './create-item.ts';
import { assigneeRefused, itemChanged, refused } from './errors.ts';
import type { WorkParts } from './parts.ts';
import { findItem } from './store/item-store.ts';
import { putUndo } from './store/undo-store.ts';
import { type ItemRow, NOBODY, type Person } from './types.ts';
import { assertMay, mayDo, resourcesOf } from './visibility.ts';
import {
  type Act,
  type ActingPerson,
  afterAct,
  afterMiss,
  isLapsed,
  refusalOf,
  standingOf,
} from './work-state.ts';

/** Request of a caller to change an item. */
export type ActRequest =
  | { readonly kind: 'assign'; readonly principalId: string }
  | { readonly kind: 'acknowledge' }
  | { readonly kind: 'done'; readonly note: string }
  | { readonly kind: 'note'; readonly note: string }
  | { readonly kind: 'reopen' };

/** Permission on the item that each request needs. */
export const REQUIRED_PERMISSIONS: Readonly<Record<ActRequest['kind'], Permission>> = {
  assign: 'work:manage',
  reopen: 'work:manage',
  acknowledge: 'work:read',
  done: 'work:read',
  note: 'work:read',
};

/** An item as the caller last saw it. */
interface SeenItem {
  readonly id: string;
  readonly version: number;
}

/**
 * Does it to an item as the caller last saw it. Throws 404 for an item they may not see, 403 for what they may not do, 409 for
 * a stale version or a state that does not fit, and 400 for a person who cannot own it; then nothing is written.
 */
export async function act(
  parts: WorkParts,
  caller: Caller,
  item: SeenItem,
  request: ActRequest,
): Promise<ItemRow> {
  return parts.db.transaction((tx) => actInTransaction(parts, tx, caller, item, request));
}

/** Does the same to several items: to all of them, or to none when one is refused. */
export async function actOnAll(
  parts: WorkParts,
  caller: Caller,
  items: readonly SeenItem[],
  request: ActRequest,
): Promise<ItemRow[]> {
  // Always in one order, so that two such requests never wait for each other.
  const ordered = items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return parts.db.transaction(async (tx) => {
    const changed = new Map<string, ItemRow>();
    for (const item of ordered)
      changed.set(item.id, await actInTransaction(parts, tx, caller, item, request));
    return items.flatMap(({ id }) => changed.get(id) ?? []);
  });
}

async function actInTransaction(
  parts: WorkParts,
  tx: WriteTx,
  caller: Caller,
  { id, version }: SeenItem,
  request: ActRequest,
): Promise<ItemRow> {
  const row = assertMay(caller, REQUIRED_PERMISSIONS[request.kind], await findItem(tx, id));
  if (row.version !== version) throw itemChanged();
  const person = actingPerson(caller, row);
  const refusal = refusalOf(row, request.kind, person);
  if (refusal !== null) throw refused(refusal);
  if (REOPENING.includes(request.kind) && (await isInJunk(parts, tx, row))) throw refused('item_in_junk');
  return carryOut(parts, tx, row, { act: await resolveAct(parts, tx, row, request), person });
}

/** Acts after which an item asks for somebody. */
const REOPENING: readonly ActRequest['kind'][] = ['assign', 'reopen'];

async function isInJunk(parts: WorkParts, tx: WriteTx, { inbound_fax_id: id }: ItemRow): Promise<boolean> {
  return (await parts.inbound.junkAmong(tx, [id])).has(id);
}

/** Carries out an act that is allowed, and keeps the standing before it for an undo. */
export async function carryOut(
  parts: WorkParts,
  tx: WriteTx,
  row: ItemRow,
  { act, person }: { readonly act: Act; readonly person: ActingPerson },
): Promise<ItemRow> {
  const now = isoTime(parts.clock.now());
  // The due time passed without being recorded: this act handles the miss, unless it is only a note.
  const isMissed = act.kind !== 'note' && isLapsed(row, now);
  const missed = isMissed ? afterMiss(row, now) : { changes: {}, newEntries: [] };
  const standing = { ...row, ...missed.changes };
  const outcome = afterAct(standing, act, person, now);
  if (outcome === null) return row;
  const changed = await change(parts, tx, row, {
    changes: { ...missed.changes, ...outcome.changes },
    newEntries: [...missed.newEntries, ...outcome.newEntries],
  });
  // The retry reads it again, and finds whether another change came first or only its history grew.
  if (!changed) throw new ItemChangedError(`the work item ${row.id} was changed meanwhile`);
  await putUndo(tx, {
    item_id: row.id,
    version: changed.version,
    principal_id: person.id,
    kind: act.kind,
    at: now,
    standing: JSON.stringify(standingOf(standing)),
  });
  return changed;
}

export function actingPerson(caller: Caller, row: ItemRow): ActingPerson {
  const { id, displayName: name } = caller.principal;
  return { id, name, manages: mayDo(caller, 'work:manage', row) };
}

async function resolveAct(parts: WorkParts, tx: WriteTx, row: ItemRow, request: ActRequest): Promise<Act> {
  if (request.kind !== 'assign') return request;
  const { owner_id } = row;
  const names = await principalNames(tx, [request.principalId, owner_id]);
  const from = owner_id === NOBODY ? null : { id: owner_id, name: names.get(owner_id) ?? 'someone' };
  if (request.principalId === owner_id) return { kind: 'assign', to: from ?? { id: '', name: '' }, from };
  const people = await assignees(parts, tx, row);
  const to = people.find(({ id }) => id === request.principalId);
  if (!to) throw assigneeRefused(names.get(request.principalId) ?? null);
  return { kind: 'assign', to, from };
}

/**
 * Lists the people an item can be assigned to: enabled, with a password, and allowed to see the item and its document.
 */
export async function assignees(
  parts: Pick<WorkParts, 'access'>,
  db: Parameters<WorkParts['access']['holders']>[0],
  row: Pick<ItemRow, 'inbound_fax_id' | 'mailbox_id'>,
): Promise<Person[]> {
  const people = await parts.access.holders(db, OWNER_PERMISSIONS, resourcesOf(row));
  return people.map(({ id, displayName }) => ({ id, name: displayName }));
}

/** Permissions that an owner must hold on the document. */
export const OWNER_PERMISSIONS: readonly Permission[] = ['work:read', 'inbound:read'];
