import { RECIPIENT_STATES } from '../../../shared/states/broadcasts.ts';
import type { ReadDb } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { mailboxLabels } from '../access/service.ts';
import { editsOf } from '../outbound/service.ts';
import { countRecipients } from './store/recipient-store.ts';
import type { BroadcastAnswer, BroadcastRow, RecipientCounts } from './types.ts';

/** Counts the recipients of the broadcasts by state, for each ID. */
export async function countsOf(db: ReadDb, ids: readonly string[]): Promise<Map<string, RecipientCounts>> {
  const counts = new Map(
    ids.map((id) => [
      id,
      Object.fromEntries(RECIPIENT_STATES.map((state) => [state, 0])) as Record<string, number>,
    ]),
  );
  for (const { broadcast_id, state, count } of await countRecipients(db, ids)) {
    const own = counts.get(broadcast_id);
    if (own) own[state] = count;
  }
  return counts as unknown as Map<string, RecipientCounts>;
}

/** Returns the broadcasts as the contract shows them. */
export async function presentBroadcasts(
  { db: { read: db }, clock }: { readonly db: { readonly read: ReadDb }; readonly clock: Clock },
  rows: readonly BroadcastRow[],
): Promise<BroadcastAnswer[]> {
  const ids = rows.map(({ id }) => id);
  const counts = await countsOf(db, ids);
  const labels = await mailboxLabels(db, [...new Set(rows.flatMap(({ mailbox_id }) => mailbox_id ?? []))]);
  const now = isoTime(clock.now());
  return rows.map((row) => {
    const own = counts.get(row.id) as RecipientCounts;
    return {
      id: row.id,
      name: row.name,
      state: stateOf(row, own, now),
      paused_reason: row.paused_reason,
      recipients: row.recipients,
      counts: { ...own },
      document: {
        file_name: row.document_name,
        pages: row.document_pages,
        size_bytes: row.document_size,
        sha256: row.document_sha256,
      },
      edits: editsOf(row),
      page_form: row.page_form,
      subject: row.subject,
      reference: row.reference,
      document_type: row.document_type,
      mailbox: labels.get(row.mailbox_id ?? '') ?? null,
      send_at: row.send_at,
      send_by: row.send_by,
      send_when: row.send_when,
      cover:
        row.cover_id === null
          ? null
          : { id: row.cover_id, name: row.cover_name ?? row.cover_id, fields: coverFieldsOf(row) },
      header_name: row.header_name,
      opt_out_line: row.opt_out_line,
      created_at: row.created_at,
      updated_at: row.updated_at,
      created_by: { id: row.created_by, name: row.created_by_name },
      test: row.test === 1,
      version: row.changes,
    };
  });
}

function stateOf(
  { state, send_at }: BroadcastRow,
  { waiting, queued, held, sending }: RecipientCounts,
  now: string,
): BroadcastAnswer['state'] {
  if (state !== 'active') return state;
  if (waiting > 0 && send_at !== null && send_at > now) return 'scheduled';
  return waiting + queued + held + sending > 0 ? 'sending' : 'finished';
}

/** Returns the values of the cover page before they are merged. */
export const coverFieldsOf = ({ cover_fields }: Pick<BroadcastRow, 'cover_fields'>): Record<string, string> =>
  JSON.parse(cover_fields ?? '{}') as Record<string, string>;
