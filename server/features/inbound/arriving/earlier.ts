import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { InboundEvidenceTable } from '../../../db/schema/inbound.ts';
import { epochOf } from '../../../platform/clock.ts';
import { NO_ABOUT } from '../../../platform/fax-about.ts';
import { derivedId } from '../../../platform/ids.ts';
import { faxSearchText } from '../search-text.ts';
import { earlierFaxesOf, insertEarlierFaxes, insertNotifications, seenAt } from '../store/earlier-store.ts';
import type { CheckedReport, EarlierNotification, EarlierReceived, FaxRow } from '../types.ts';

const ACTOR = 'Earlier release';

/** Returns the account of faxes whose account at a provider was never recorded. */
const earlierAccount = (backend: string): string => `${backend}:earlier-release`;

/** Adds received faxes of an earlier release, none of which is there yet. Nothing is fetched, and nothing is e-mailed. */
export async function addEarlierReceived(tx: WriteTx, faxes: readonly EarlierReceived[]): Promise<void> {
  await insertEarlierFaxes(tx, faxes.map(rowOf), faxes.flatMap(evidenceOf));
}

export async function addEarlierNotifications(
  tx: WriteTx,
  seen: readonly EarlierNotification[],
): Promise<void> {
  await insertNotifications(
    tx,
    seen.map(({ id, backend, providerId, seenAt }) => ({
      id,
      backend,
      provider_fax_id: providerId,
      seen_at: seenAt,
    })),
  );
}

function rowOf(fax: EarlierReceived): FaxRow {
  const { document } = fax;
  const kept = 'problem' in document ? null : document;
  const numbers = { from_number: fax.from, to_number: fax.to, provider_fax_id: fax.providerId };
  return {
    id: fax.id,
    backend: fax.backend,
    provider_account: earlierAccount(fax.backend),
    source_system: null,
    ...numbers,
    search_text: faxSearchText({ ...numbers, ...NO_ABOUT }),
    status: kept === null ? 'failed' : 'received',
    version: 1,
    to_inferred: 0,
    mailbox_id: fax.mailboxId,
    reported_pages: fax.reportedPages,
    pages: kept?.pages ?? null,
    size_bytes: kept?.sizeBytes ?? null,
    sha256: kept?.sha256 ?? null,
    media_type: kept?.mediaType ?? null,
    document: kept?.name ?? null,
    is_test: 0,
    recovered: 0,
    conflicts: 0,
    incomplete: 0,
    received_at: fax.receivedAt,
    updated_at: fax.updatedAt,
    source_received_at: null,
    source_complete: 1,
    retry_at: null,
    failures: 0,
    problem: 'problem' in document ? document.problem : null,
    captured: null,
    turns: null,
    ...NO_ABOUT,
    junk: 0,
    test: 0,
  };
}

function evidenceOf(fax: EarlierReceived): InboundEvidenceTable[] {
  const { document } = fax;
  const entries: Pick<InboundEvidenceTable, 'kind' | 'occurred_at' | 'text' | 'sha256' | 'size_bytes'>[] = [];
  const none = { sha256: null, size_bytes: null };
  entries.push({
    kind: 'notification',
    occurred_at: fax.notifiedAt ?? fax.receivedAt,
    text: `An earlier release recorded this fax as “${fax.status}”. It kept no record of how the report was checked.`,
    ...none,
  });
  entries.push(
    'problem' in document
      ? { kind: 'not_received', occurred_at: fax.updatedAt, text: document.problem, ...none }
      : {
          kind: 'document',
          occurred_at: fax.updatedAt,
          text: 'The document of the earlier release was checked and stored.',
          sha256: document.sha256,
          size_bytes: document.sizeBytes,
        },
  );
  return entries.map((entry, at) => ({
    id: derivedId(epochOf(entry.occurred_at), `evidence ${at + 1} of ${fax.id}`),
    fax_id: fax.id,
    position: at + 1,
    checked_by: 'none',
    actor: ACTOR,
    notification: null,
    ...entry,
  }));
}

/**
 * Finds the fax of an earlier release that a report is about: it has the id, and no number that contradicts it. The same
 * id with other numbers is a fax of another account.
 */
export async function findEarlierFax(
  db: ReadDb,
  { account, report }: Pick<CheckedReport, 'account' | 'report'>,
): Promise<FaxRow | undefined> {
  const found = await earlierFaxesOf(db, earlierAccount(account.backend), [report.providerId]);
  const row = found.get(report.providerId);
  if (row === undefined) return undefined;
  const agrees = (a: string | null, b: string | null) => a === null || b === null || a === b;
  return agrees(row.from_number, report.from) && agrees(row.to_number, report.to) ? row : undefined;
}

/** Returns a sentence about the notification that an earlier release had seen of a new fax; null where it saw none. */
export async function seenEarlier(
  db: ReadDb,
  { account, report }: Pick<CheckedReport, 'account' | 'report'>,
): Promise<string | null> {
  const at = await seenAt(db, account.backend, report.providerId);
  return at === null
    ? null
    : `An earlier release saw a notification of this fax on ${at.slice(0, 10)}, and no fax of it was there when this installation was upgraded.`;
}
