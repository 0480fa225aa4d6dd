import { sql } from 'kysely';
import { openDatabase } from '../../server/db/database.ts';
import { fillInbound } from './fill-inbound.ts';

/** Of a hundred items seventy are done, ten acknowledged, twenty open; two belong to the installation key. */
export async function fillWork(
  where: { postgresUrl: string | null; sqliteFile: string },
  count: number,
): Promise<void> {
  await fillInbound(where, count);
  const db = openDatabase(where, { hasNoQueryTimeout: true });
  try {
    const isPostgres = where.postgresUrl !== null;
    const n = isPostgres ? sql`substr(id, 25)::bigint` : sql`cast(substr(id, 25) as integer)`;
    const digits = (value: typeof n) =>
      isPostgres ? sql`lpad((${value})::text, 13, '0')` : sql`printf('%013d', ${value})`;
    const newest = digits(sql`8000000000000 - ${n} * 20000`);
    // Of the open ones every tenth is due a century from now, so that it is not overdue.
    const due = digits(sql`case when ${n} % 10 = 0 then 4900000000000 else 1700000000000 + ${n} * 20000 end`);
    const state = sql`case when ${n} % 100 < 20 then 'waiting' when ${n} % 100 < 30 then 'acknowledged' else 'done' end`;
    const rank = sql`case when ${n} % 100 < 20 then '0' when ${n} % 100 < 30 then '1' else '2' end`;
    const owner = sql`case when ${n} % 50 = 7 then 'bootstrap' when ${n} % 3 = 0 then '' else 'somebody' end`;
    await sql`insert into work_item (id, inbound_fax_id, version, mailbox_id, from_number, to_number, pages, sha256,
      is_test, available_at, updated_at, state_key, owner_id, list_key, history_count, history_digest)
      select id, id, 2, mailbox_id, from_number, to_number, 1, sha256, 0, received_at, received_at,
      ${state}, ${owner}, ${rank} || case when ${n} % 100 < 20 then ${due} else '9999999999999' end || ${newest} || id,
      0, '' from inbound_fax`.execute(db.unrestricted);
    if (isPostgres) await sql`analyze`.execute(db.unrestricted);
  } finally {
    await db.close();
  }
}
