import type { ReadDb, WriteTx } from '../../db/database.ts';
import { cutPage, decodeCursor } from '../../db/keyset.ts';
import type { SecurityEventTable } from '../../db/schema/audit.ts';
import type { SecurityEntry } from './types.ts';

export async function insertSecurityEvent(tx: WriteTx, entry: SecurityEntry): Promise<void> {
  await tx
    .insertInto('security_event')
    .values({
      id: entry.id,
      occurred_at: entry.occurredAt,
      actor_id: entry.actor.id,
      actor_name: entry.actor.name,
      credential_kind: entry.credentialKind,
      operation: entry.operation,
      target_kind: entry.target.kind,
      target_id: entry.target.id,
      outcome: entry.outcome,
      policy_version: entry.policyVersion,
      request_id: entry.requestId,
      details: JSON.stringify(entry.details),
    })
    .execute();
}

export interface SecurityEventFilter {
  actorId?: string | undefined;
  targetId?: string | undefined;
  operation?: string | undefined;
  outcome?: SecurityEntry['outcome'] | undefined;
  /** Stored times: from this one on, and before that one. */
  since?: string | undefined;
  until?: string | undefined;
}

export interface SecurityEventQuery extends SecurityEventFilter {
  limit: number;
  cursor?: string | undefined;
}

/** A page of the security audit, newest first. Throws a 400 refusal on a wrong cursor. */
export async function listSecurityEvents(
  db: ReadDb | WriteTx,
  args: SecurityEventQuery,
): Promise<{ items: SecurityEntry[]; next_cursor: string | null }> {
  let query = db.selectFrom('security_event').selectAll();
  if (args.actorId !== undefined) query = query.where('actor_id', '=', args.actorId);
  if (args.targetId !== undefined) query = query.where('target_id', '=', args.targetId);
  if (args.operation !== undefined) query = query.where('operation', '=', args.operation);
  if (args.outcome !== undefined) query = query.where('outcome', '=', args.outcome);
  if (args.since !== undefined) query = query.where('occurred_at', '>=', args.since);
  if (args.until !== undefined) query = query.where('occurred_at', '<', args.until);
  if (args.cursor !== undefined) {
    const [at = '', id = ''] = decodeCursor(args.cursor, 2);
    query = query.where((eb) => eb(eb.refTuple('occurred_at', 'id'), '<', eb.tuple(at, id)));
  }
  const rows = await query
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(args.limit + 1)
    .execute();
  const page = cutPage(rows, args.limit, (row) => [row.occurred_at, row.id]);
  return { items: page.items.map(toEntry), next_cursor: page.next_cursor };
}

function toEntry(row: SecurityEventTable): SecurityEntry {
  return {
    id: row.id,
    occurredAt: row.occurred_at,
    actor: { id: row.actor_id, name: row.actor_name },
    credentialKind: row.credential_kind,
    operation: row.operation,
    target: { kind: row.target_kind, id: row.target_id },
    outcome: row.outcome,
    policyVersion: row.policy_version,
    requestId: row.request_id,
    details: JSON.parse(row.details) as Record<string, unknown>,
  };
}
