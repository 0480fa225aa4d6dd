import { type ExpressionBuilder, sql } from 'kysely';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { RoutingTables } from '../../../db/schema/routing.ts';
import type { AttemptOutcome } from '../types.ts';

/** Scope of the attempts to count: faxes that one person sent, and faxes of mailboxes. */
export interface AttemptScope {
  readonly personId: string;
  /** Restricts the faxes of that person to those sent for these mailboxes; null for all. */
  readonly ownMailboxIds: readonly string[] | null;
  readonly mailboxIds: readonly string[];
}

/** Attempts to a number that have one outcome, one route and one amount. */
export interface CountedAttempts {
  readonly to_number: string;
  readonly backend: string;
  /** Null where no route chose the backend. */
  readonly route_id: string | null;
  readonly outcome: AttemptOutcome;
  readonly charged: string | null;
  readonly charged_currency: string | null;
  /** True when the attempt was not taken: it counts in no amount. */
  readonly is_void: boolean;
  readonly is_recent: boolean;
  readonly attempts: number;
  /** Pages of their documents. */
  readonly pages: number;
  /** Time at which the last of them began, ISO 8601 UTC. */
  readonly last_at: string;
}

export async function recordOutcome(
  tx: WriteTx,
  attemptId: string,
  { outcome, ended_at }: { outcome: AttemptOutcome; ended_at: string },
): Promise<void> {
  await tx
    .updateTable('attempt_cost')
    .set({ outcome, ended_at })
    .where('attempt_id', '=', attemptId)
    .execute();
}

/** The numbers that attempts in the scope (null for all) since then went to, in their order. Throws a 400 refusal on a wrong cursor. */
export async function listNumbers(
  db: ReadDb,
  scope: AttemptScope | null,
  { since, limit, cursor }: { since: string; limit: number; cursor?: string | undefined },
): Promise<{ items: { to_number: string }[]; next_cursor: string | null }> {
  let query = db
    .selectFrom('attempt_cost')
    .select('to_number')
    .distinct()
    .where('outcome', 'is not', null)
    .where('begun_at', '>=', since);
  if (scope !== null) query = query.where(inScope(scope));
  if (cursor !== undefined) query = query.where('to_number', '>', decodeCursor(cursor, 1)[0] ?? '');
  const rows = await query
    .orderBy('to_number')
    .limit(limit + 1)
    .execute();
  return cutPage(rows, limit, ({ to_number }) => [to_number]);
}

/**
 * Counts outcomes and costs of the attempts in the scope that began since then; `recent`: time from which they count as
 * recent.
 */
export async function countAttempts(
  db: ReadDb,
  scope: AttemptScope | null,
  { numbers, since, recent }: { numbers: readonly string[]; since: string; recent: string },
): Promise<CountedAttempts[]> {
  if (numbers.length === 0) return [];
  const isRecent = sql<number>`case when begun_at >= ${recent} then 1 else 0 end`;
  let attempts = db
    .selectFrom('attempt_cost')
    .select([
      'to_number',
      'backend',
      'route_id',
      'outcome',
      'charged',
      'charged_currency',
      'pages',
      'begun_at',
    ])
    .select([isRecent.as('recent'), sql<number>`case when state = 'void' then 1 else 0 end`.as('void')])
    .where('to_number', 'in', numbers)
    .where('outcome', 'is not', null)
    .where('begun_at', '>=', since);
  if (scope !== null) attempts = attempts.where(inScope(scope));
  const rows = await db
    .selectFrom(attempts.as('each'))
    .select(['to_number', 'backend', 'route_id', 'outcome', 'charged', 'charged_currency', 'recent', 'void'])
    .select(({ fn }) => [
      sql<string>`cast(count(*) as text)`.as('attempts'),
      sql<string>`cast(sum(pages) as text)`.as('pages'),
      fn.max('begun_at').as('last_at'),
    ])
    .groupBy(['to_number', 'backend', 'route_id', 'outcome', 'charged', 'charged_currency', 'recent', 'void'])
    .execute();
  return rows.map(({ recent: isNew, void: isVoid, ...row }) => ({
    ...row,
    outcome: row.outcome as AttemptOutcome,
    is_recent: isNew === 1,
    is_void: isVoid === 1,
    attempts: Number(row.attempts),
    pages: Number(row.pages),
  }));
}

function inScope({ personId, ownMailboxIds, mailboxIds }: AttemptScope) {
  return (eb: ExpressionBuilder<RoutingTables, 'attempt_cost'>) =>
    eb.or([
      ...(ownMailboxIds === null ? [eb('created_by', '=', personId)] : []),
      ...(ownMailboxIds && ownMailboxIds.length > 0
        ? [eb.and([eb('created_by', '=', personId), eb('mailbox_id', 'in', ownMailboxIds)])]
        : []),
      ...(mailboxIds.length === 0 ? [] : [eb('mailbox_id', 'in', mailboxIds)]),
    ]);
}
