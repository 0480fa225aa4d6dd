import type { WriteTx } from '../../../db/database.ts';
import { mailboxFor } from '../../access/service.ts';
import { type ChangeParts, change, recordEvidence } from '../changes.ts';
import { fetchNow, restartChanges } from '../fetch-queue.ts';
import type { InboundParts } from '../parts.ts';
import type { ReceivedReport } from '../receiving-port.ts';
import { faxSearchText } from '../search-text.ts';
import { isBlocked } from '../store/blocked-store.ts';
import { knownEvidence } from '../store/evidence-store.ts';
import type { FaxChanges } from '../store/fax-store.ts';
import type { CheckedReport, FaxRow } from '../types.ts';
import { sealSource } from './document-source.ts';
import { junkEntry } from './junk.ts';
import { endsEarly, missingPages } from './missing-pages.ts';
import { type SourceNames, sourceNameOf, sourceWords } from './source-name.ts';

/** Dependencies of a report on an existing fax. */
export type ContinueParts = ChangeParts & SourceNames & Pick<InboundParts, 'queue' | 'filedHandlers'>;

/** Maximum number of different copies of notifications that are kept of one fax. */
const MAX_COPIES = 50;

/**
 * Applies a repeated report to an existing fax: fills in missing values, records differences, and keeps the first
 * values.
 */
export async function continueFax(
  parts: ContinueParts,
  tx: WriteTx,
  row: FaxRow,
  reported: CheckedReport,
): Promise<FaxRow> {
  const facts = { ...(await newFacts(tx, row, reported.report)), ...completeness(row, reported) };
  const late = row.status === 'received' ? missingPagesChanges(parts, { ...row, ...facts }) : {};
  const again = shouldRestart(row, reported)
    ? { ...restartChanges(parts), ...sourceOf(parts, row, reported) }
    : {};
  const differences = differencesOf(parts, row, reported.report);
  const changes = { ...facts, ...late, ...again };
  await recordCopy(parts, tx, row, reported, late.problem);
  let changed = row;
  if (Object.keys(changes).length > 0) changed = await change(parts, tx, row, changes, null);
  if (facts.junk === 1) await recordEvidence(parts, tx, row.id, junkEntry(changed));
  if (differences !== null) changed = await recordDifference(parts, tx, changed, differences);
  if (late.problem) await notifyIncomplete(parts, tx, row, late.problem);
  if ('status' in again || isNowComplete(row, reported.report)) await fetchNow(parts, tx, row.id);
  return changed;
}

/**
 * Returns true when a failed fax gets new attempts: its notification was sent again. Being listed still is not enough.
 */
function shouldRestart(row: FaxRow, { report, checkedBy, hasDocument }: CheckedReport): boolean {
  if (row.status !== 'failed') return false;
  if (report.state === 'failed') return hasDocument;
  return checkedBy !== 'listing' || (row.source_complete === 0 && report.state === 'complete');
}

/** The source of a fax that has none, as those of an earlier release: now its document can be had. */
function sourceOf(
  { seal }: Pick<ContinueParts, 'seal'>,
  row: FaxRow,
  { source }: CheckedReport,
): Pick<FaxChanges, 'captured'> {
  return row.captured === null && source !== null ? { captured: sealSource(seal, row.id, source) } : {};
}

function isNowComplete(row: FaxRow, report: ReceivedReport): boolean {
  return row.status === 'waiting' && row.source_complete === 0 && report.state === 'complete';
}

async function newFacts(tx: WriteTx, row: FaxRow, report: ReceivedReport): Promise<FaxChanges> {
  const facts: FaxChanges = {};
  if (row.from_number === null && report.from !== null) {
    facts.from_number = report.from;
    // A fax that is filed was announced already, and stays where people know it to be.
    if (row.status !== 'received' && (await isBlocked(tx, report.from))) facts.junk = 1;
  }
  if (report.to !== null && shouldReplaceNumber(row, report.to)) {
    facts.to_number = report.to;
    facts.to_inferred = 0;
    const mailboxId = row.to_number === report.to ? row.mailbox_id : null;
    facts.mailbox_id = mailboxId ?? (await mailboxFor(tx, report.to));
  }
  if (report.pages !== null && shouldReplacePages(row, report)) facts.reported_pages = report.pages;
  if (row.source_received_at === null && report.completedAt !== null)
    facts.source_received_at = report.completedAt;
  if (row.source_complete === 0 && report.state === 'complete') facts.source_complete = 1;
  if ('from_number' in facts || 'to_number' in facts) facts.search_text = faxSearchText({ ...row, ...facts });
  return facts;
}

/**
 * Returns the change of completeness. The last report before the document is filed counts; after that, a report can
 * only mark pages as possibly missing.
 */
function completeness(row: FaxRow, reported: CheckedReport): FaxChanges {
  if (endsEarly(reported)) return row.incomplete === 1 ? {} : { incomplete: 1 };
  const isWhole = reported.report.state === 'complete' && row.status !== 'received';
  return isWhole && row.incomplete === 1 ? { incomplete: 0 } : {};
}

/** Returns the changes of a filed fax when reports since then show that pages may be missing. */
function missingPagesChanges(parts: SourceNames, row: FaxRow): Pick<FaxChanges, 'incomplete' | 'problem'> {
  const problem = row.problem === null && row.pages !== null ? missingPages(parts, row, row.pages) : null;
  return problem === null ? {} : { incomplete: 1, problem };
}

async function notifyIncomplete(parts: ContinueParts, tx: WriteTx, row: FaxRow, text: string): Promise<void> {
  const fax = { id: row.id, source: sourceNameOf(parts, row), text };
  for (const handler of parts.filedHandlers) await handler.onIncomplete?.(tx, fax);
}

/** Returns true when a reported page count is taken over. A count made while a fax comes in is not final. */
function shouldReplacePages(row: FaxRow, report: ReceivedReport): boolean {
  if (row.reported_pages === null) return true;
  const isFinal = report.state === 'complete' && row.source_complete === 0;
  return isFinal && row.reported_pages !== report.pages;
}

/** Returns true when a reported number replaces one that was only inferred, before the document is filed. */
function shouldReplaceNumber(row: FaxRow, to: string): boolean {
  if (row.to_number === null) return true;
  return row.to_inferred === 1 && (row.to_number === to || row.status !== 'received');
}

/**
 * Compares the numbers of a repeated report with the fax, whose numbers do not change. Returns a sentence about the
 * difference, or null.
 */
function differencesOf(parts: SourceNames, row: FaxRow, report: ReceivedReport): string | null {
  const reported = [
    row.from_number !== null && report.from !== null && row.from_number !== report.from
      ? `as sent from ${report.from}`
      : null,
    report.to !== null && row.to_number !== report.to && !shouldReplaceNumber(row, report.to)
      ? `as sent to ${report.to}`
      : null,
  ].filter((text) => text !== null);
  if (reported.length === 0) return null;
  return `${sourceWords(parts, row).The} reported this fax again, ${reported.join(' and ')}. The first report is kept.`;
}

async function recordDifference(
  parts: ContinueParts,
  tx: WriteTx,
  row: FaxRow,
  text: string,
): Promise<FaxRow> {
  const notification = JSON.stringify({ difference: text });
  const { isKnown } = await knownEvidence(tx, parts.seal, row.id, {
    kind: 'conflict',
    notification,
    sha256: null,
  });
  if (isKnown) return row;
  const conflict = { kind: 'conflict', actor: sourceNameOf(parts, row), text, notification } as const;
  return change(parts, tx, row, { conflicts: row.conflicts + 1 }, conflict);
}

/** Records a copy of the notification, unless the same one is recorded already. */
async function recordCopy(
  parts: ContinueParts,
  tx: WriteTx,
  row: FaxRow,
  reported: CheckedReport,
  problem: string | null | undefined,
): Promise<void> {
  const { notification, checkedBy } = reported;
  if (notification === null) return;
  const copy = { kind: 'notification', notification, sha256: null } as const;
  const { count, isKnown } = await knownEvidence(tx, parts.seal, row.id, copy);
  if (isKnown || count >= MAX_COPIES) return;
  const actor = sourceNameOf(parts, row);
  const text = `${sourceWords(parts, row).The} reported the fax again.${problem ? ` ${problem}` : ''}`;
  await recordEvidence(parts, tx, row.id, { kind: 'notification', checkedBy, actor, text, notification });
}
