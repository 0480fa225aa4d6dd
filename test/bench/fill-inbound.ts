import { sql } from 'kysely';
import { openDatabase } from '../../server/db/database.ts';
import { encodeCursor } from '../../server/db/keyset.ts';
import { migrate } from '../../server/db/migrator.ts';

const FIRST_SECOND = Date.UTC(2025, 0, 1) / 1000;

/** Of ten received faxes eight are received, one failed, one waits; three of five are for one number and mailbox. */
export const INBOUND_FILTERS: readonly { label: string; query: string; fits(n: number): boolean }[] = [
  { label: 'all', query: '', fits: () => true },
  { label: 'status', query: 'status=received', fits: (n) => n % 10 < 8 },
  { label: 'receiver', query: 'to_number=%2B12025550100', fits: (n) => n % 5 < 3 },
  { label: 'sender', query: 'from_number=%2B12025550190', fits: (n) => n % 3 < 2 },
  { label: 'mailbox', query: 'mailbox=mailbox-1', fits: (n) => n % 5 < 3 },
  { label: 'source', query: 'backend=cloudone', fits: (n) => n % 4 < 3 },
  { label: 'unread', query: 'unread=true', fits: (n) => n % 10 < 8 },
  { label: 'text', query: 'q=202555', fits: () => true },
];

const timeOf = (n: number) => new Date((FIRST_SECOND + n * 20) * 1000).toISOString();
const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** The cursor after `skipped` faxes that fit, newest first. */
export function inboundCursor(total: number, skipped: number, fits: (n: number) => boolean): string {
  let left = skipped;
  for (let n = total - 1; n >= 0; n -= 1) {
    if (fits(n)) left -= 1;
    if (left === 0) return encodeCursor([timeOf(n), idOf(n)]);
  }
  throw new Error('there are not that many faxes');
}

/** Migrates the store and puts `count` received faxes into it, made by the database itself. */
export async function fillInbound(
  where: { postgresUrl: string | null; sqliteFile: string },
  count: number,
): Promise<void> {
  const db = openDatabase(where, { hasNoQueryTimeout: true });
  try {
    await migrate(db.unrestricted as never);
    const second = sql`(${sql.lit(FIRST_SECOND)} + i * 20)`;
    const isPostgres = where.postgresUrl !== null;
    const at = isPostgres
      ? sql`to_char(to_timestamp(${second}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`
      : sql`strftime('%Y-%m-%dT%H:%M:%S.000Z', ${second}, 'unixepoch')`;
    const id = isPostgres
      ? sql`'01900000-0000-7000-8000-' || lpad(i::text, 12, '0')`
      : sql`'01900000-0000-7000-8000-' || printf('%012d', i)`;
    const text = isPostgres ? sql`i::text` : sql`cast(i as text)`;
    await sql`insert into mailbox (id, label, enabled, version, created_at, updated_at)
      values ('mailbox-1', 'Front desk', 1, 1, '', '')`.execute(db.unrestricted);
    await sql`insert into inbound_fax (id, backend, provider_account, provider_fax_id, status, version, from_number,
      to_number, to_inferred, mailbox_id, reported_pages, pages, size_bytes, sha256, media_type, document, is_test,
      recovered, conflicts, incomplete, junk, test, received_at, updated_at, source_received_at, source_complete, failures, search_text)
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(count - 1)})
      select ${id}, case when i % 4 < 3 then 'cloudone' else 'cloudtwo' end, 'cloudone:0123456789ab', ${text},
      case when i % 10 < 8 then 'received' when i % 10 = 8 then 'failed' else 'waiting' end, 2,
      case when i % 3 < 2 then '+12025550190' else '+12025550191' end,
      case when i % 5 < 3 then '+12025550100' else '+12025550101' end, 0,
      case when i % 5 < 3 then 'mailbox-1' end, 1, 1, 20000,
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'application/pdf',
      'inbound/' || ${id} || '-e3b0c44298fc.pdf', 0, 0, 0, 0, 0, 0, ${at}, ${at}, ${at}, 1, 0,
      '+12025550190 +12025550100 ' || ${text} from n`.execute(db.unrestricted);
    if (isPostgres) await sql`analyze`.execute(db.unrestricted);
  } finally {
    await db.close();
  }
}

/** Everything but the oldest `left` was read by the owner of the installation key. */
export async function markReadExcept(
  where: { postgresUrl: string | null; sqliteFile: string },
  left: number,
): Promise<void> {
  const db = openDatabase(where, { hasNoQueryTimeout: true });
  try {
    await sql`insert into inbound_read (principal_id, reader_name, fax_id, read_at)
      select 'bootstrap', 'Installation key', id, received_at
      from inbound_fax where id >= ${idOf(left)} on conflict do nothing`.execute(db.unrestricted);
  } finally {
    await db.close();
  }
}
