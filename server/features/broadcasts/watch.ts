import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import type { BroadcastListener, StateListener } from '../outbound/port.ts';
import type { BroadcastsParts } from './parts.ts';
import { keyOfBroadcast } from './queued.ts';
import { touchBroadcast } from './store/broadcast-store.ts';
import { listOpen, recordState, replaceFax } from './store/recipient-store.ts';
import { OPEN_STATES, RECIPIENT_STATE_OF } from './types.ts';

type ChangedFax = Parameters<StateListener['changed']>[1];

/** Keeps the recipients of broadcasts by the states of their faxes, in the transactions that change these. */
export interface RecipientWatch extends StateListener, BroadcastListener {
  /** Records the changes from a time without a gateway, as after a restore. */
  catchUp(): Promise<void>;
}

export function createRecipientWatch(parts: BroadcastsParts): RecipientWatch {
  const { clock, queue, db, outcomesOf, notifier } = parts;
  return {
    async changed(tx: WriteTx, { id, broadcastId, state: of, error }: ChangedFax) {
      if (broadcastId === null) return;
      const at = isoTime(clock.now());
      const state = RECIPIENT_STATE_OF[of];
      if (!(await recordState(tx, id, { state, reason: error, at }))) return;
      notifier.notify(tx, await touchBroadcast(tx, broadcastId, at));
      // There may be room for another one.
      if (state !== 'queued' && state !== 'held') await queue.makeDue(tx, keyOfBroadcast(broadcastId));
    },
    async replaced(tx, { earlier, id }) {
      const at = isoTime(clock.now());
      const broadcastId = await replaceFax(tx, { earlier, id, at });
      if (broadcastId !== null) notifier.notify(tx, await touchBroadcast(tx, broadcastId, at));
    },
    async catchUp() {
      const open = await listOpen(db.read, OPEN_STATES);
      const outcomes = await outcomesOf(open.map(({ fax_id }) => fax_id));
      const stale = open.flatMap(({ fax_id, state }) => {
        const outcome = outcomes.get(fax_id);
        if (!outcome || RECIPIENT_STATE_OF[outcome.state] === state) return [];
        return { fax_id, state: RECIPIENT_STATE_OF[outcome.state], reason: outcome.error, at: outcome.at };
      });
      if (stale.length === 0) return;
      await db.transaction(async (tx) => {
        for (const { fax_id, ...found } of stale) await recordState(tx, fax_id, found);
      });
    },
  };
}
