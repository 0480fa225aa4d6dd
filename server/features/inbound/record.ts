import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { mailboxFor } from '../access/service.ts';
import { sealSource } from './captured-source.ts';
import { notifyOnCommit, recordEvidence, sourceNameOf, sourceWords } from './changes.ts';
import { continueFax } from './continue-fax.ts';
import { endsEarly } from './missing-pages.ts';
import type { InboundParts } from './parts.ts';
import { fetchJob, fetchOf } from './queued.ts';
import { faxSearchText } from './search-text.ts';
import { findFax, findOfProvider, insertFax } from './store/fax-store.ts';
import type { CheckedReport, FaxRow } from './types.ts';

/** Time within which an attached document is inspected; later it is fetched. */
const ATTACHED_MS = 60_000;

/**
 * Records a report, the only way in: a new fax waits until its document is fetched, an existing one continues. However
 * often and from wherever it is reported, one fax of one account is one row.
 */
export async function record(parts: InboundParts, reported: CheckedReport): Promise<FaxRow> {
  return parts.db.transaction(async (tx) => {
    const fax = await recordIn(parts, tx, reported);
    await reported.additionalWrites?.(tx, fax.id);
    return fax;
  });
}

async function recordIn(parts: InboundParts, tx: WriteTx, reported: CheckedReport): Promise<FaxRow> {
  const { account, report } = reported;
  const find = async () =>
    (await findOfProvider(tx, account.accountId, [report.providerId])).get(report.providerId);
  const known = await find();
  if (known) return continueFax(parts, tx, known, reported);
  const row = await newRow(parts, tx, reported);
  if (await insertFax(tx, row)) return begin(parts, tx, row, reported);
  // Another process was faster.
  const concurrent = await find();
  if (!concurrent) throw new Error(`the fax ${report.providerId} is neither new nor known`);
  return continueFax(parts, tx, concurrent, reported);
}

async function begin(
  parts: InboundParts,
  tx: WriteTx,
  row: FaxRow,
  reported: CheckedReport,
): Promise<FaxRow> {
  await recordEvidence(parts, tx, row.id, {
    kind: reported.checkedBy === 'listing' || reported.recovered ? 'listed' : 'notification',
    checkedBy: reported.checkedBy,
    actor: sourceNameOf(parts, row),
    text: reported.text,
    notification: reported.notification,
  });
  if (reported.isUnreported) await parts.reportProblems.unreported(tx, row.backend);
  if (row.status === 'waiting') {
    const runAt = parts.clock.now() + (reported.hasDocument ? ATTACHED_MS : 0);
    await parts.queue.enqueue(tx, fetchJob, fetchOf(row.id, runAt));
  }
  notifyOnCommit(parts, tx, row);
  return (await findFax(tx, row.id)) ?? row;
}

async function newRow(parts: InboundParts, tx: WriteTx, reported: CheckedReport): Promise<FaxRow> {
  const { report, account } = reported;
  const id = newId();
  const at = isoTime(parts.clock.now());
  const failed = report.state === 'failed' && !reported.hasDocument;
  const numbers = {
    from_number: report.from,
    to_number: report.to,
    provider_fax_id: report.providerId,
  };
  return {
    id,
    backend: account.backend,
    provider_account: account.accountId,
    source_system: null,
    ...numbers,
    search_text: faxSearchText(numbers),
    status: failed ? 'failed' : 'waiting',
    version: 1,
    to_inferred: reported.toInferred ? 1 : 0,
    mailbox_id: await mailboxFor(tx, report.to),
    reported_pages: report.pages,
    pages: null,
    size_bytes: null,
    sha256: null,
    media_type: null,
    document: null,
    is_test: report.isTest ? 1 : 0,
    recovered: reported.recovered ? 1 : 0,
    conflicts: 0,
    incomplete: endsEarly(reported) ? 1 : 0,
    received_at: at,
    updated_at: at,
    source_received_at: report.completedAt,
    source_complete: report.state === 'complete' ? 1 : 0,
    retry_at: failed ? null : at,
    failures: 0,
    problem: failed ? failedAt(sourceWords(parts, account).The) : null,
    captured: reported.source === null ? null : sealSource(parts.seal, id, reported.source),
  };
}

const failedAt = (source: string) => `${source} reports that it could not receive this fax completely.`;
