import type { DeliveryState } from '../../../../shared/states/outbound.ts';
import type { ReadDb } from '../../../db/database.ts';
import type { Caller } from '../../access/service.ts';
import { listAnswers } from '../store/answer-store.ts';
import { mayRead } from '../visibility.ts';

/** Maximum answers of one received fax that are shown. */
const MAX_SHOWN = 20;
/** Maximum answers that are read for a page of received faxes. */
const MAX_READ = 2_000;

/** A sent fax as the received fax that it answers names it. */
export interface SentAnswer {
  readonly id: string;
  /** E.164. */
  readonly to: string;
  readonly state: DeliveryState;
  readonly createdAt: string;
  /** Name of its sender. */
  readonly by: string;
}

/** Returns the answers to received faxes by the id of these, newest first: those that the caller may read. */
export async function answersTo(
  db: ReadDb,
  caller: Caller,
  inboundIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SentAnswer[]>> {
  const answers = new Map<string, SentAnswer[]>();
  for (const row of await listAnswers(db, inboundIds, MAX_READ)) {
    if (row.answers === null || !mayRead(caller, row)) continue;
    const { id, to_number: to, delivery_state: state, created_at: createdAt, created_by_name: by } = row;
    const known = answers.get(row.answers) ?? [];
    if (known.length < MAX_SHOWN) answers.set(row.answers, [...known, { id, to, state, createdAt, by }]);
  }
  return answers;
}
