import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { callsOf, removeCalls } from './store.ts';
import type { CallRow } from './types.ts';

interface CallsWanted {
  readonly attemptIds: readonly string[];
  readonly receivedIds: readonly string[];
}

/** Entries of the call log for archives. All work inside a transaction. */
export interface CallArchiving {
  /** Lists the calls of attempts and of received faxes. */
  of(db: ReadDb, wanted: CallsWanted): Promise<readonly CallRow[]>;
  /** Removes the calls of faxes that were removed; one that also carried another sent fax stays. */
  remove(tx: WriteTx, removed: CallsWanted & { readonly sentIds: readonly string[] }): Promise<void>;
}

export const callArchiving: CallArchiving = {
  of: callsOf,
  async remove(tx, { sentIds, ...removed }) {
    const gone = new Set(sentIds);
    const calls = await callsOf(tx, removed);
    const isOver = ({ sent_fax_ids }: CallRow) =>
      (JSON.parse(sent_fax_ids) as string[]).every((id) => gone.has(id));
    await removeCalls(
      tx,
      calls.filter(isOver).map(({ id }) => id),
    );
  },
};
