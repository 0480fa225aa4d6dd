import type { Permission } from '../../../shared/permissions.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { type Caller, principalNames } from '../access/service.ts';
import { change } from './change.ts';
import { ItemMovedError } from './create-item.ts';
import { assigneeRefused, itemChanged, refused } from './errors.ts';
import type { WorkParts } from './parts.ts';
import { findItem } from './store/item-store.ts';
import { putUndo } from './store/undo-store.ts';
import { type ItemRow, NOBODY, type Person } from './types.ts';
import { assertMay, mayDo, resourcesOf } from './visibility.ts';
import { type Act, afterAct, afterMiss, type Doer, isLapsed, refusalOf, standingOf } from './work-state.ts';

/** Request of a caller to change an item. */
export type Order =
  | { readonly kind: 'assign'; readonly principalId: string }
  | { readonly kind: 'acknowledge' }
  | { readonly kind: 'done'; readonly note: string }
  | { readonly kind: 'reopen' };

/** Permission on the item that each request needs. */
export const NEEDED: Readonly<Record<Order['kind'], Permission>> = {
  assign: 'work:manage',
  reopen: 'work:manage',
  acknowledge: 'work:read',
  done: 'work:read',
};

/**
 * Does it to an item as the caller last saw it. Throws 404 for an item they may not see, 403 for what they may not do, 409 for
 * a stale version or a state that does not fit, and 400 for a person who cannot own it; then nothing is written.
 */
export async function act(
  parts: WorkParts,
  caller: Caller,
  { id, version }: { readonly id: string; readonly version: number },
  order: Order,
): Promise<ItemRow> {
  return parts.db.transaction(async (tx) => {
    const row = assertMay(caller, NEEDED[order.kind], await findItem(tx, id));
    if (row.version !== version) throw itemChanged();
    const doer = doerOf(caller, row);
    const refusal = refusalOf(row, order.kind, doer);
    if (refusal !== null) throw refused(refusal);
    const now = isoTime(parts.clock.now());
    // The due time passed without being recorded: this act handles the miss.
    const missed = isLapsed(row, now) ? afterMiss(row, now) : { changes: {}, told: [] };
    const standing = { ...row, ...missed.changes };
    const outcome = afterAct(standing, await actOf(parts, tx, row, order), doer, now);
    if (outcome === null) return row;
    const changed = await change(parts, tx, row, {
      changes: { ...missed.changes, ...outcome.changes },
      told: [...missed.told, ...outcome.told],
    });
    // The retry reads it again, and finds whether another change came first or only its history grew.
    if (!changed) throw new ItemMovedError(`the work item ${id} was changed meanwhile`);
    await putUndo(tx, {
      item_id: id,
      version: changed.version,
      principal_id: doer.id,
      kind: order.kind,
      at: now,
      standing: JSON.stringify(standingOf(standing)),
    });
    return changed;
  });
}

function doerOf(caller: Caller, row: ItemRow): Doer {
  const { id, displayName: name } = caller.principal;
  return { id, name, manages: mayDo(caller, 'work:manage', row) };
}

async function actOf(parts: WorkParts, tx: WriteTx, row: ItemRow, order: Order): Promise<Act> {
  if (order.kind !== 'assign') return order;
  const { owner_id } = row;
  const names = await principalNames(tx, [order.principalId, owner_id]);
  const from = owner_id === NOBODY ? null : { id: owner_id, name: names.get(owner_id) ?? 'someone' };
  if (order.principalId === owner_id) return { kind: 'assign', to: from ?? { id: '', name: '' }, from };
  const people = await assignees(parts, tx, row);
  const to = people.find(({ id }) => id === order.principalId);
  if (!to) throw assigneeRefused(names.get(order.principalId) ?? null);
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
  const people = await parts.access.holders(db, OWNING, resourcesOf(row));
  return people.map(({ id, displayName }) => ({ id, name: displayName }));
}

/** Permissions that an owner must hold on the document. */
export const OWNING: readonly Permission[] = ['work:read', 'inbound:read'];
