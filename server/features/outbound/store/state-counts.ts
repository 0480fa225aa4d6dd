import { sql } from 'kysely';
import { DELIVERY_STATES, type DeliveryState } from '../../../../shared/states/outbound.ts';
import type { ReadDb } from '../../../db/database.ts';
import type { SentScope } from '../types.ts';

type StateCounts = Record<DeliveryState, number>;

/** Faxes that are counted. */
interface Counted {
  readonly scope: SentScope | null;
  /** Id of the person whose own faxes of the scope are counted; all of them when left out. */
  readonly ownOf?: string;
  readonly isTest: boolean;
  /** Maximum count of a state: the others of a million are not read. */
  readonly most: number;
}

/** Counts faxes by state; each count reads a part of one index at most. */
export async function countByState(db: ReadDb, counted: Counted): Promise<StateCounts> {
  const { most } = counted;
  const counts = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])) as StateCounts;
  for (const part of partsOf(db, counted)) {
    const open = DELIVERY_STATES.filter((state) => counts[state] < most);
    const [first, ...others] = open.map((state) => countOf(db, part, state, most));
    if (!first) break;
    const query = others.reduce((all, other) => all.unionAll(other), first);
    for (const { state, count } of await query.execute())
      counts[state] = Math.min(counts[state] + Number(count), most);
  }
  return counts;
}

/**
 * Returns the queries of which each reads one index; no fax is in two of them. The person's own come first: faxes of others
 * are then counted past fewer than `most` of their own.
 */
function partsOf(db: ReadDb, { scope, ownOf, isTest }: Counted) {
  const all = db.selectFrom('fax_job').where((eb) => eb('test', '=', eb.lit(isTest ? 1 : 0)));
  if (scope === null) return [ownOf === undefined ? all : all.where('created_by', '=', ownOf)];
  const { personId, ownMailboxIds, mailboxIds } = scope;
  const theirs = ownMailboxIds === null ? null : [...new Set([...ownMailboxIds, ...mailboxIds])];
  const byThem = all.where('created_by', '=', personId);
  const own = theirs === null ? byThem : byThem.where('mailbox_id', 'in', theirs);
  const others = all.where('mailbox_id', 'in', mailboxIds).where('created_by', '!=', personId);
  return [
    ...(theirs?.length === 0 ? [] : [own]),
    ...(mailboxIds.length === 0 || ownOf !== undefined ? [] : [others]),
  ];
}

function countOf(db: ReadDb, part: ReturnType<typeof partsOf>[number], state: DeliveryState, most: number) {
  const some = part.where('delivery_state', '=', state).select('id').limit(most);
  return db
    .selectFrom(some.as('some'))
    .select((eb) => [
      sql.lit(state).$castTo<DeliveryState>().as('state'),
      eb.fn.countAll<number | string>().as('count'),
    ]);
}
