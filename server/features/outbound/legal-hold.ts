import type { ReadDb } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import type { HoldScope } from '../../platform/hold-scope.ts';
import { heldIds, nextCleanupAt } from '../holds/service.ts';
import type { HeldFacts, HeldFigures } from '../holds/types.ts';
import type { OutboundParts } from './parts.ts';
import { countCovered, countDue } from './store/hold-store.ts';
import { findJobs } from './store/job-list.ts';
import type { JobRow } from './types.ts';

const DAY_MS = 24 * 3_600_000;

/** Returns the facts of a fax that decide about a legal hold. */
export function heldFactsOf(
  job: Pick<JobRow, 'id' | 'to_number' | 'case_id' | 'mailbox_id' | 'created_at'>,
): HeldFacts {
  const { id, to_number, case_id: caseId, mailbox_id: mailboxId, created_at: at } = job;
  return { id, numbers: [to_number], caseId, mailboxId, at };
}

/** Returns the time before which a fax must have ended for its document to be deleted; null while documents are kept. */
export function artifactsEndedBefore({
  clock,
  settings,
}: Pick<OutboundParts, 'clock' | 'settings'>): string | null {
  const days = settings.artifactDays();
  return days > 0 ? isoTime(clock.now() - days * DAY_MS) : null;
}

/** Returns those of the faxes that an open hold covers. Works inside a transaction. */
export async function heldAmong(
  { holds }: Pick<OutboundParts, 'holds'>,
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const open = await holds.open(db);
  if (open.length === 0) return new Set();
  const jobs = [...(await findJobs(db, ids)).values()];
  return heldIds(open, jobs.map(heldFactsOf));
}

/** Counts the faxes of a hold, and the documents that its release lets the next cleanup delete. */
export async function heldSentFaxes(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'settings'>,
  hold: HoldScope,
  others: readonly HoldScope[],
): Promise<Omit<HeldFigures, 'received'>> {
  const { read } = parts.db;
  const endedBefore = artifactsEndedBefore(parts);
  const sent = await countCovered(read, hold);
  if (endedBefore === null) return { sent, documentsDue: 0, nextCleanupAt: null };
  const next = nextCleanupAt(parts.clock.now(), parts.settings.cleanupMinutes());
  return { sent, documentsDue: await countDue(read, { hold, others, endedBefore }), nextCleanupAt: next };
}
