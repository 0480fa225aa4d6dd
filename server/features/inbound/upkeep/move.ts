import type { ReadDb, WriteTx } from '../../../db/database.ts';
import {
  type Actor,
  actorOf,
  type Caller,
  enabledMailbox,
  enabledMailboxes,
  mailboxFor,
  mailboxLabels,
  mailboxResource,
  visibleTo,
} from '../../access/service.ts';
import { recordedActor } from '../../audit/service.ts';
import { type ChangeParts, change } from '../changes.ts';
import { alreadyInMailbox, isTestFax, noSuchMailbox } from '../errors.ts';
import { heldFactsOf } from '../legal-hold.ts';
import type { InboundParts } from '../parts.ts';
import { findFax, listUnfiled } from '../store/fax-store.ts';
import type { FaxRow } from '../types.ts';
import { assertMay, assertMayMove, mayMove, seesAllOf } from '../visibility.ts';

const BATCH = 200;
const MAX_TARGETS = 500;

type MoveParts = ChangeParts & Pick<InboundParts, 'unreadIndex' | 'filedHandlers' | 'holds'>;

interface Mailbox {
  readonly id: string;
  readonly label: string;
}

/**
 * Lists the mailboxes that the caller may move a fax without an enabled mailbox to. Empty when its mailbox is enabled,
 * or when they may not move it.
 */
export async function moveTargets(
  { db: { read } }: Pick<InboundParts, 'db'>,
  caller: Caller,
  row: FaxRow,
): Promise<Mailbox[]> {
  if (row.test === 1 || !mayMove(caller, row) || (await hasEnabledMailbox(read, row))) return [];
  const { everything, mailboxIds } = visibleTo(caller, 'work:manage');
  return enabledMailboxes(read, everything ? null : mailboxIds, MAX_TARGETS);
}

/**
 * Moves a fax without an enabled mailbox into one. The caller must be allowed to see all of it and to manage work, both
 * for the fax and in the mailbox. `wanted` is an id or label. Throws 403, 404 and 409 refusals.
 */
export async function moveFax(
  parts: MoveParts & Pick<InboundParts, 'audit'>,
  caller: Caller,
  { id, wanted }: { id: string; wanted: string },
): Promise<FaxRow> {
  return parts.db.transaction(async (tx) => {
    const row = assertMay(caller, 'inbound:read', await findFax(tx, id));
    assertMayMove(caller, row);
    if (row.test === 1) throw isTestFax();
    const target = await enabledMailbox(tx, wanted);
    if (!target || !caller.holds('work:manage', mailboxResource(target.id))) throw noSuchMailbox();
    if (await hasEnabledMailbox(tx, row)) throw alreadyInMailbox();
    const actor = actorOf(caller);
    const from = await labelOf(tx, row.mailbox_id);
    const text = `${actor.name} moved the fax from ${from} to ${target.label}.`;
    const moved = await move(parts, tx, row, { target, actor, text });
    await parts.audit.record(tx, {
      ...recordedActor(actor),
      operation: 'inbound.move',
      target: { kind: 'inbound_fax', id },
      outcome: 'done',
      details: { from, to: target.label },
    });
    return moved;
  });
}

/**
 * Moves every fax of no enabled mailbox to the one that the number rules name today; `left` have no rule, or the caller may
 * not see all of them.
 */
export async function applyRules(
  parts: MoveParts & Pick<InboundParts, 'audit'>,
  caller: Caller,
): Promise<{ moved: number; left: number }> {
  const actor = actorOf(caller);
  const counts = { moved: 0, left: 0 };
  for (let after = ''; ; ) {
    const rows = await listUnfiled(parts.db.read, {
      disabledIds: await disabledMailboxes(parts.db.read),
      after,
      limit: BATCH,
    });
    const moved = await parts.db.transaction((tx) => applyTo(parts, tx, rows, caller));
    counts.moved += moved;
    counts.left += rows.length - moved;
    after = rows.at(-1)?.id ?? '';
    if (rows.length < BATCH) break;
  }
  await parts.db.transaction((tx) =>
    parts.audit.record(tx, {
      ...recordedActor(actor),
      operation: 'inbound_rule.apply',
      target: { kind: 'installation', id: null },
      outcome: 'done',
      details: counts,
    }),
  );
  return counts;
}

/**
 * Moves the faxes with a number rule, and returns the number moved. Faxes that another person moved meanwhile stay in
 * place.
 */
async function applyTo(
  parts: MoveParts,
  tx: WriteTx,
  rows: readonly FaxRow[],
  caller: Caller,
): Promise<number> {
  const actor = actorOf(caller);
  const labels = await mailboxLabels(tx);
  let moved = 0;
  for (const { id } of rows) {
    const row = await findFax(tx, id);
    const mailboxId = row ? await mailboxFor(tx, row.to_number) : null;
    if (!row || !seesAllOf(caller, row) || mailboxId === null || (await hasEnabledMailbox(tx, row))) continue;
    const target = { id: mailboxId, label: labels.get(mailboxId) ?? mailboxId };
    const from = await labelOf(tx, row.mailbox_id);
    const text = `${actor.name} applied the number rules: the fax was moved from ${from} to ${target.label}.`;
    await move(parts, tx, row, { target, actor, text });
    moved += 1;
  }
  return moved;
}

async function move(
  parts: MoveParts,
  tx: WriteTx,
  row: FaxRow,
  { target, actor, text }: { target: Mailbox; actor: Actor; text: string },
): Promise<FaxRow> {
  await parts.holds.keepMoved(tx, heldFactsOf(row));
  const moved = { kind: 'moved', actor: actor.name, text } as const;
  const changed = await change(parts, tx, row, { mailbox_id: target.id }, moved);
  if (row.status !== 'received') return changed;
  // It is new to those who see the mailbox, however old it is.
  parts.db.onCommit(tx, () => parts.unreadIndex.add(row));
  for (const handler of parts.filedHandlers)
    await handler.onMoved?.(tx, { id: row.id, mailboxId: target.id, actor, text });
  return changed;
}

async function hasEnabledMailbox(db: ReadDb, { mailbox_id }: FaxRow): Promise<boolean> {
  return mailbox_id !== null && (await enabledMailboxes(db, [mailbox_id], 1)).length > 0;
}

async function labelOf(db: ReadDb, mailboxId: string | null): Promise<string> {
  if (mailboxId === null) return 'no mailbox';
  return (await mailboxLabels(db, [mailboxId])).get(mailboxId) ?? 'no mailbox';
}

async function disabledMailboxes(db: ReadDb): Promise<string[]> {
  const all = [...(await mailboxLabels(db)).keys()];
  const enabled = new Set((await enabledMailboxes(db, all, all.length)).map(({ id }) => id));
  return all.filter((id) => !enabled.has(id));
}
