import type { WriteTx } from '../../../db/database.ts';
import { notifyOnCommit, recordEvidence } from '../changes.ts';
import { removedWithArchive } from '../errors.ts';
import { fetchJob, fetchOf } from '../fetch-queue.ts';
import type { InboundParts } from '../parts.ts';
import { findFax, findOfProvider, insertFax } from '../store/fax-store.ts';
import { removedAmong } from '../store/removal-store.ts';
import type { CheckedReport, FaxRow } from '../types.ts';
import { type ContinueParts, continueFax } from './continue-fax.ts';
import { findEarlierFax, seenEarlier } from './earlier.ts';
import { junkEntry } from './junk.ts';
import { reportedRow } from './new-fax.ts';
import { sourceNameOf } from './source-name.ts';

/** Dependencies of recording a report. */
export type RecordParts = ContinueParts & Pick<InboundParts, 'reportProblems'>;

/** Time within which an attached document is inspected; later it is fetched. */
const ATTACHED_MS = 60_000;

/**
 * Records a report, the only way in: a new fax waits until its document is fetched, an existing one continues. However
 * often and from wherever it is reported, one fax of one account is one row. Throws a 409 refusal for one that was removed with an
 * archive.
 */
export async function record(parts: RecordParts, reported: CheckedReport): Promise<FaxRow> {
  return parts.db.transaction(async (tx) => {
    const fax = await recordIn(parts, tx, reported);
    await reported.additionalWrites?.(tx, fax.id);
    return fax;
  });
}

async function recordIn(parts: RecordParts, tx: WriteTx, reported: CheckedReport): Promise<FaxRow> {
  const { account, report } = reported;
  const find = async () =>
    (await findOfProvider(tx, account.accountId, [report.providerId])).get(report.providerId) ??
    (await findEarlierFax(tx, reported));
  const known = await find();
  if (known) return continueFax(parts, tx, known, reported);
  if ((await removedAmong(tx, account.accountId, [report.providerId])).size > 0) throw removedWithArchive();
  const row = await reportedRow(parts, tx, reported);
  if (await insertFax(tx, row)) return begin(parts, tx, row, reported);
  // Another process was faster.
  const concurrent = await find();
  if (!concurrent) throw new Error(`the fax ${report.providerId} is neither new nor known`);
  return continueFax(parts, tx, concurrent, reported);
}

async function begin(parts: RecordParts, tx: WriteTx, row: FaxRow, reported: CheckedReport): Promise<FaxRow> {
  await recordEvidence(parts, tx, row.id, {
    kind: reported.checkedBy === 'listing' || reported.recovered ? 'listed' : 'notification',
    checkedBy: reported.checkedBy,
    actor: sourceNameOf(parts, row),
    text: [reported.text, await seenEarlier(tx, reported)].filter((text) => text !== null).join(' '),
    notification: reported.notification,
  });
  if (row.junk === 1) await recordEvidence(parts, tx, row.id, junkEntry(row));
  if (reported.isUnreported) await parts.reportProblems.unreported(tx, row.backend);
  if (row.status === 'waiting') {
    const runAt = parts.clock.now() + (reported.hasDocument ? ATTACHED_MS : 0);
    await parts.queue.enqueue(tx, fetchJob, fetchOf(row.id, runAt));
  }
  notifyOnCommit(parts, tx, row);
  return (await findFax(tx, row.id)) ?? row;
}
