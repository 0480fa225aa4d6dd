import { sql } from 'kysely';
import { openDatabase } from '../../server/db/database.ts';
import { encodeCursor } from '../../server/db/keyset.ts';
import { migrate } from '../../server/db/migrator.ts';
import type { FaxAttemptTable, FaxJobTable, FaxNumberTable } from '../../server/db/schema/outbound.ts';
import { NO_ABOUT } from '../../server/platform/fax-about.ts';
import { attemptRow } from '../setup/outbound-rows.ts';

const FILLED_NUMBER = '+12025550123';
const OTHER_NUMBER = '+12025550199';
const FIRST = Date.UTC(2026, 0, 1);
/** Rows of one INSERT: SQLite takes at most 32,766 values. */
// SQLite takes 32,766 values in one statement.
const BATCH = 250;
/** Of the address book that 100,000 faxes leave behind. */
const NUMBERS = 20_000;

/** The id of the n-th oldest fax. */
export function filledId(n: number): string {
  return `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** Three of five faxes went well, three of five to one number and three of five were one person's, each in a pattern of its own. */
const isSuccess = (n: number) => n % 5 < 3;
const isFilledNumber = (n: number) => Math.floor(n / 5) % 5 < 3;
const isFilledPerson = (n: number) => Math.floor(n / 25) % 5 < 3;

interface Filter {
  readonly label: string;
  readonly query: string;
  matches(n: number): boolean;
}

const STATE = 'state=success';
const TO = `to=${encodeURIComponent(FILLED_NUMBER)}`;
const PERSON = 'created_by=principal-1';
/** Every way to narrow the list, alone and together. */
export const FILTERS: readonly Filter[] = [
  { label: 'all', query: '', matches: () => true },
  { label: 'state', query: STATE, matches: isSuccess },
  { label: 'four states', query: 'state=success,failed,held,ready', matches: () => true },
  { label: 'number', query: TO, matches: isFilledNumber },
  { label: 'person', query: PERSON, matches: isFilledPerson },
  { label: 'state and number', query: `${STATE}&${TO}`, matches: (n) => isSuccess(n) && isFilledNumber(n) },
  {
    label: 'state and person',
    query: `${STATE}&${PERSON}`,
    matches: (n) => isSuccess(n) && isFilledPerson(n),
  },
  {
    label: 'number and person',
    query: `${TO}&${PERSON}`,
    matches: (n) => isFilledNumber(n) && isFilledPerson(n),
  },
  {
    label: 'state, number and person',
    query: `${STATE}&${TO}&${PERSON}`,
    matches: (n) => isSuccess(n) && isFilledNumber(n) && isFilledPerson(n),
  },
  { label: 'text', query: 'q=letter', matches: () => true },
];

/** The cursor after `skipped` faxes that fit, newest first. */
export function cursorAfter(total: number, skipped: number, matches: (n: number) => boolean): string {
  let left = skipped;
  for (let n = total - 1; n >= 0; n -= 1) {
    if (matches(n)) left -= 1;
    if (left === 0) return encodeCursor([timeOf(n), filledId(n)]);
  }
  throw new Error('there are not that many faxes');
}

/** Migrates the store and puts `count` ended faxes with their attempts into it, in one transaction. */
export async function fillStore(
  where: { postgresUrl: string | null; sqliteFile: string },
  count: number,
): Promise<void> {
  const db = openDatabase(where);
  try {
    await migrate(db.unrestricted as never);
    await db.transaction(async (tx) => {
      for (let n = 0; n < count; n += BATCH) {
        const numbers = Array.from({ length: Math.min(BATCH, count - n) }, (_, i) => n + i);
        await tx.insertInto('fax_job').values(numbers.map(jobOf)).execute();
        await tx.insertInto('fax_attempt').values(numbers.map(attemptOf)).execute();
      }
      for (let n = 0; n < NUMBERS; n += BATCH)
        await tx
          .insertInto('fax_number')
          .values(Array.from({ length: BATCH }, (_, i) => numberOf(n + i)))
          .execute();
    });
    // PostgreSQL counts its rows by itself, but a minute later.
    if (where.postgresUrl !== null) await sql`analyze`.execute(db.unrestricted);
  } finally {
    await db.close();
  }
}

const timeOf = (n: number) => new Date(FIRST + n * 60_000).toISOString();

function jobOf(n: number): FaxJobTable {
  const at = timeOf(n);
  const none = {
    reconciliation_reason: null,
    error: null,
    ...NO_ABOUT,
    described_at: null,
    resend_of: null,
    answers: null,
    tried_again_as: null,
    automatic_tries: 0,
    case_id: null,
    cover: null,
    broadcast_id: null,
    packet: null,
    page_edits: null,
    mailbox_id: null,
  };
  const flags = { queue_only: 0, send_now: 0, urgent: 0, send_by_call: 0 } as const;
  return {
    ...none,
    ...flags,
    id: filledId(n),
    to_number: isFilledNumber(n) ? FILLED_NUMBER : OTHER_NUMBER,
    delivery_state: isSuccess(n) ? 'success' : 'failed',
    dispatch_mode: 'normal',
    delivery_version: 5,
    backend: 'cloudone',
    provider_sid: String(n),
    pages: 2,
    created_at: at,
    updated_at: at,
    document_name: 'letter.pdf',
    document_media_type: 'application/pdf',
    document_sha256: 'ab'.repeat(32),
    document_size: 50_000,
    document_pages: 2,
    artifact: `fax/${filledId(n)}.pdf`,
    plan_steps: 1,
    plan: 'x'.repeat(600),
    account_id: 'account-1',
    created_by: isFilledPerson(n) ? 'principal-1' : 'principal-2',
    created_by_name: 'Ada Admin',
    header_name: null,
    delivered_by: 'provider',
    decided_by_name: null,
    decided_note: null,
    ask_again_at: null,
    call_seconds: null,
    source_digest: null,
    held_reason: null,
    arrival_warning: null,
    arrival_proved: 0,
    over_limit: 0,
    send_at: null,
    send_by: null,
    send_when: 'now',
    hours_at: null,
    hours_reason: null,
    waits_for: null,
    together_at: null,
    route_id: null,
    route_name: null,
    route_reason: null,
    clean_greys: 0,
    kind: 'fax',
    page_form: 'automatic',
    encoded_mode: null,
    encoded_sha256: null,
    encoded_size: null,
    encoded_pages: null,
    encoded_seconds: null,
    titles: '[]',
    test: 0,
    search_text: `${isFilledNumber(n) ? FILLED_NUMBER : OTHER_NUMBER} letter.pdf`,
  };
}

function numberOf(n: number): FaxNumberTable {
  const at = timeOf(n);
  return { to_number: `+1202${String(5_600_000 + n)}`, last_used_at: at, last_success_at: at, uses: 5 };
}

function attemptOf(n: number): FaxAttemptTable {
  const at = timeOf(n);
  return attemptRow(filledId(n), {
    id: filledId(n).replace('01900000', '01900001'),
    phase: isSuccess(n) ? 'success' : 'failed',
    provider_account: 'account-1',
    provider_sid: String(n),
    submitted_at: at,
    completed_at: at,
    pages_sent: isSuccess(n) ? 2 : 0,
    rate_bps: 14_400,
  });
}
