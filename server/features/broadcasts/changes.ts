import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { broadcastRefused } from './errors.ts';
import type { BroadcastsParts } from './parts.ts';
import { countsOf } from './present.ts';
import { broadcastJob, broadcastJobOf, keyOfBroadcast } from './queued.ts';
import { addEvent, changeBroadcast, findBroadcast } from './store/broadcast-store.ts';
import { cancelWaiting, listAgain, markFailed } from './store/recipient-store.ts';
import type { BroadcastRow, RecipientCounts } from './types.ts';
import { assertMay } from './visibility.ts';

/** A change that a person makes; returns the sentence of its history. Throws refusals. */
type Change = (tx: WriteTx, row: BroadcastRow, at: string) => Promise<string>;

/** Carries out what people decide about a broadcast. */
async function change(
  parts: BroadcastsParts,
  caller: Caller,
  id: string,
  act: Change,
): Promise<BroadcastRow> {
  return parts.db.transaction(async (tx) => {
    const row = assertMay(caller, 'fax:send', await findBroadcast(tx, id));
    const at = isoTime(parts.clock.now());
    const text = await act(tx, row, at);
    await addEvent(tx, { broadcast_id: id, occurred_at: at, actor: actorOf(caller).name, text });
    await parts.queue.enqueue(tx, broadcastJob, broadcastJobOf(id));
    await parts.queue.makeDue(tx, keyOfBroadcast(id));
    const after = (await findBroadcast(tx, id)) as BroadcastRow;
    parts.notifier.notify(tx, after);
    return after;
  });
}

async function write(
  tx: WriteTx,
  row: BroadcastRow,
  changes: Parameters<typeof changeBroadcast>[2],
): Promise<void> {
  if (!(await changeBroadcast(tx, row, changes)))
    throw broadcastRefused('This broadcast was changed in the same moment. Look at it and try again.');
}

export function pauseBroadcast(parts: BroadcastsParts, caller: Caller, id: string): Promise<BroadcastRow> {
  return change(parts, caller, id, async (tx, row, at) => {
    if (row.state === 'paused') throw broadcastRefused('This broadcast is already paused.');
    const { waiting } = await countsIn(tx, row);
    const again = await listAgain(tx, id, 1);
    if (row.state !== 'active' || waiting + again.length === 0)
      throw broadcastRefused('Every fax of this broadcast is already on its way or has ended.');
    await write(tx, row, { state: 'paused', paused_reason: null, updated_at: at });
    return 'Paused.';
  });
}

export function continueBroadcast(parts: BroadcastsParts, caller: Caller, id: string): Promise<BroadcastRow> {
  return change(parts, caller, id, async (tx, row, at) => {
    if (row.state !== 'paused') throw broadcastRefused('Only a paused broadcast can be continued.');
    await write(tx, row, { state: 'active', paused_reason: null, updated_at: at });
    return 'Continued.';
  });
}

export function cancelBroadcast(parts: BroadcastsParts, caller: Caller, id: string): Promise<BroadcastRow> {
  return change(parts, caller, id, async (tx, row, at) => {
    const { queued, held } = await countsIn(tx, row);
    if (row.state === 'cancelled') throw broadcastRefused('The rest of this broadcast is already canceled.');
    const reason = 'Canceled before it was sent.';
    const again = await listAgain(tx, id, 1);
    const ended = await cancelWaiting(tx, id, { reason, at });
    if (ended + queued + held + again.length === 0)
      throw broadcastRefused('Every fax of this broadcast is already on its way or has ended.');
    const { name } = actorOf(caller);
    await write(tx, row, {
      state: 'cancelled',
      paused_reason: null,
      cancelled_by_name: name,
      updated_at: at,
    });
    return `Canceled the rest: ${faxes(ended + queued + held)}.`;
  });
}

export function retryBroadcast(parts: BroadcastsParts, caller: Caller, id: string): Promise<BroadcastRow> {
  return change(parts, caller, id, async (tx, row, at) => {
    if (row.state === 'paused') throw broadcastRefused('This broadcast is paused. Continue it first.');
    const marked = await markFailed(tx, id);
    if (marked === 0) throw broadcastRefused('No fax of this broadcast failed.');
    // The rest stays canceled; what failed goes again.
    await write(tx, row, { state: 'active', updated_at: at });
    return `Sends ${faxes(marked)} again that failed.`;
  });
}

const faxes = (count: number): string => (count === 1 ? '1 fax' : `${count} faxes`);

async function countsIn(tx: WriteTx, { id }: BroadcastRow): Promise<RecipientCounts> {
  return (await countsOf(tx, [id])).get(id) as RecipientCounts;
}
