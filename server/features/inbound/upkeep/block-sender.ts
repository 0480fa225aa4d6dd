import { LIMITS } from '../../../../shared/limits.ts';
import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { requestedNumber } from '../../../platform/phone-number.ts';
import { type Actor, actorOf, type Caller, hasRule, visibleTo } from '../../access/service.ts';
import { recordedActor } from '../../audit/service.ts';
import { change } from '../changes.ts';
import { badNumber, isTestFax, notAllowed, senderKnown, senderWithheld, tooManyBlocked } from '../errors.ts';
import type { InboundParts } from '../parts.ts';
import {
  type BlockedSenderRow,
  countBlocked,
  countJunkBySender,
  deleteBlocked,
  findBlocked,
  insertBlocked,
  listJunkFrom,
} from '../store/blocked-store.ts';
import { findFax } from '../store/fax-store.ts';
import type { FaxRow } from '../types.ts';
import { assertMay } from '../visibility.ts';
import { type ReturnParts, returnFax } from './return-fax.ts';

/** Dependencies of blocking and unblocking senders. */
type BlockParts = ReturnParts & Pick<InboundParts, 'audit' | 'contacts' | 'settings'>;

/** Request to block a sender: of a fax, or a number as typed. */
export interface BlockRequest {
  readonly sender: { readonly faxId: string } | { readonly number: string };
  /** True when a contact, or a number of this installation, is meant. */
  readonly evenIfKnown: boolean;
}

/**
 * Blocks a sender for the whole office, and moves the fax from which it is blocked to Junk; an open work item of the fax
 * is closed. A repeated request changes nothing. Throws 404 for a fax that the caller may not see, 409 for a sender
 * without a number, for a known one that is not meant, and at the limit; then nothing is changed.
 */
export async function blockSender(
  parts: BlockParts,
  caller: Caller,
  { sender, evenIfKnown }: BlockRequest,
): Promise<{ sender: BlockedSenderRow; wasBlocked: boolean; fax: FaxRow | null }> {
  assertMayBlock(caller);
  return parts.db.transaction(async (tx) => {
    const fax = 'faxId' in sender ? assertMay(caller, 'inbound:read', await findFax(tx, sender.faxId)) : null;
    if (fax?.test === 1) throw isTestFax();
    const number = 'number' in sender ? numberOf(parts, sender.number) : fax?.from_number;
    if (!number) throw senderWithheld();
    const actor = actorOf(caller);
    const known = await findBlocked(tx, number);
    const row = known ?? (await insert(parts, tx, { number, fax, actor, evenIfKnown }));
    const wasBlocked = known !== undefined;
    if (!wasBlocked) notifyOnCommit(parts, tx);
    const moved =
      fax === null || fax.junk === 1 ? fax : await moveToJunk(parts, tx, fax, { caller, wasBlocked });
    if (!wasBlocked || moved !== fax)
      await parts.audit.record(tx, {
        ...recordedActor(actor),
        operation: 'sender.block',
        target: targetOf(number, fax?.id ?? null),
        outcome: 'done',
        details: { number },
      });
    return { sender: row, wasBlocked, fax: moved };
  });
}

/** Notifies consoles after the commit that a sender was blocked or unblocked. */
function notifyOnCommit({ db, events }: Pick<BlockParts, 'db' | 'events'>, tx: WriteTx): void {
  db.onCommit(tx, () => events.publish('senders.changed', null));
}

/** Returns the target of an audit entry: the fax from which the sender was blocked, where there is one. */
const targetOf = (number: string, faxId: string | null) =>
  faxId === null ? { kind: 'blocked_sender', id: number } : { kind: 'inbound_fax', id: faxId };

/** Throws a 403 refusal for a caller who may not block senders. */
function assertMayBlock(caller: Caller): void {
  if (!caller.holds('senders:block')) throw notAllowed();
}

function numberOf({ settings }: Pick<BlockParts, 'settings'>, typed: string): string {
  const number = requestedNumber(typed, settings.country());
  if (number === null) throw badNumber();
  return number;
}

interface Block {
  readonly number: string;
  readonly fax: FaxRow | null;
  readonly actor: Actor;
  readonly evenIfKnown: boolean;
}

async function insert(
  parts: BlockParts,
  tx: WriteTx,
  { number, fax, actor, evenIfKnown }: Block,
): Promise<BlockedSenderRow> {
  if (!evenIfKnown) await assertUnknown(parts, tx, number);
  if ((await countBlocked(tx)) >= LIMITS.blockedSenders) throw tooManyBlocked();
  const row = {
    number,
    fax_id: fax?.id ?? null,
    blocked_at: isoTime(parts.clock.now()),
    blocked_by_id: actor.id,
    blocked_by: actor.name,
  };
  // Another gateway may have been faster.
  return (await insertBlocked(tx, row)) ? row : ((await findBlocked(tx, number)) ?? row);
}

/** Throws a 409 refusal for a number of a contact or of this installation. The name of the contact is not in it. */
async function assertUnknown({ contacts, settings }: BlockParts, tx: WriteTx, number: string): Promise<void> {
  if (number === settings.ownNumber() || (await hasRule(tx, number)))
    throw senderKnown(
      'This is one of your own numbers. If you block it, the faxes that you send to yourselves go to Junk.',
    );
  if (await contacts.isKnown(number, tx))
    throw senderKnown(
      'This number belongs to one of your contacts. If you block it, all of its next faxes go to Junk.',
    );
}

async function moveToJunk(
  parts: BlockParts,
  tx: WriteTx,
  row: FaxRow,
  { caller, wasBlocked }: { caller: Caller; wasBlocked: boolean },
): Promise<FaxRow> {
  const { name } = actorOf(caller);
  const number = row.from_number ?? '';
  const text = wasBlocked
    ? `${name} moved the fax to Junk, since its sender ${number} is blocked.`
    : `${name} blocked the sender ${number} and moved the fax to Junk.`;
  const moved = await change(parts, tx, row, { junk: 1 }, { kind: 'junk', actor: name, text });
  if (moved.status === 'received')
    for (const handler of parts.filedHandlers) await handler.onJunked?.(tx, { id: row.id, caller });
  return moved;
}

/**
 * Unblocks a sender, and returns the newest of its faxes from Junk where the caller asks for it. A number that is not
 * blocked is no error, so that the request can be repeated. Throws a 400 refusal for an invalid number.
 */
export async function unblockSender(
  parts: BlockParts,
  caller: Caller,
  { number: typed, bringBack }: { number: string; bringBack: boolean },
): Promise<{ number: string; wasBlocked: boolean; broughtBack: number; junkFaxes: number }> {
  assertMayBlock(caller);
  const number = numberOf(parts, typed);
  return parts.db.transaction(async (tx) => {
    const faxId = (await findBlocked(tx, number))?.fax_id ?? null;
    const wasBlocked = await deleteBlocked(tx, number);
    if (wasBlocked) notifyOnCommit(parts, tx);
    const scope = visibleTo(caller, 'inbound:read');
    const returned = bringBack ? await listJunkFrom(tx, scope, { number, limit: LIMITS.broughtBack }) : [];
    for (const row of returned) await returnFax(parts, tx, row, caller);
    if (wasBlocked)
      await recordUnblock(parts, tx, caller, {
        number,
        target: targetOf(number, faxId),
        broughtBack: returned.length,
      });
    const left = await countJunkBySender(tx, scope, [number]);
    return { number, wasBlocked, broughtBack: returned.length, junkFaxes: left.get(number) ?? 0 };
  });
}

/**
 * Returns a fax from Junk, and unblocks its sender where the caller asks for it. A fax that is not in Junk stays as it is.
 * Throws 404 for a fax that the caller may not see.
 */
export async function takeOutOfJunk(
  parts: BlockParts,
  caller: Caller,
  { id, unblocks }: { id: string; unblocks: boolean },
): Promise<FaxRow> {
  assertMayBlock(caller);
  return parts.db.transaction(async (tx) => {
    const row = assertMay(caller, 'inbound:read', await findFax(tx, id));
    const number = row.from_number;
    const isUnblocked = unblocks && number !== null && (await deleteBlocked(tx, number));
    if (isUnblocked) notifyOnCommit(parts, tx);
    const returned = row.junk === 1 ? await returnFax(parts, tx, row, caller) : row;
    const target = { kind: 'inbound_fax', id };
    if (isUnblocked) await recordUnblock(parts, tx, caller, { number, target });
    else if (row.junk === 1)
      await parts.audit.record(tx, {
        ...recordedActor(actorOf(caller)),
        operation: 'inbound.not_junk',
        target,
        outcome: 'done',
        details: { number: number ?? '' },
      });
    return returned;
  });
}

/** Undoes the move of a fax to Junk; its sender is unblocked when it was blocked from this fax. */
export async function undoJunk(parts: BlockParts, caller: Caller, id: string): Promise<void> {
  const number = (await findFax(parts.db.read, id))?.from_number ?? null;
  const block = number === null ? undefined : await findBlocked(parts.db.read, number);
  await takeOutOfJunk(parts, caller, { id, unblocks: block?.fax_id === id });
}

async function recordUnblock(
  { audit }: Pick<BlockParts, 'audit'>,
  tx: WriteTx,
  caller: Caller,
  done: { number: string; target: { kind: string; id: string }; broughtBack?: number },
): Promise<void> {
  const { number, target, broughtBack } = done;
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation: 'sender.unblock',
    target,
    outcome: 'done',
    details: { number, ...(broughtBack === undefined ? {} : { brought_back: broughtBack }) },
  });
}
