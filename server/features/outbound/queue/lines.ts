import type { WaitsFor } from '../../../../shared/states/outbound.ts';
import type { WriteTx } from '../../../db/database.ts';
import type { SettledResult } from '../../../jobs/define-job.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import type { OutboundParts } from '../parts.ts';
import {
  countCalls,
  findLineWait,
  hasLineWaits,
  insertLineWait,
  listAwaitedLines,
  listNextInLine,
  lockCalls,
  removeLineWait,
  setCalled,
} from '../store/call-store.ts';
import type { JobRow, PlannedStep } from '../types.ts';

/** An urgent fax goes before all that wait, but for one that has waited a day for urgent ones. */
const URGENT_AHEAD_MS = 24 * 3_600_000;
/**
 * Time within which a called fax must take its line, before others go first: it may not come, e.g. because sending was
 * switched off.
 */
const LINE_CLAIM_TIMEOUT_MS = 30_000;

type Parts = Pick<OutboundParts, 'db' | 'queue' | 'clock' | 'settings'>;

/**
 * Takes a line for a fax whose time has come. Null when it has one; else what it waits for, and it has its place in the
 * line. First come, first served; an urgent one goes first.
 */
export async function claimLine(
  parts: Parts,
  tx: WriteTx,
  fax: { readonly job: JobRow; readonly step: PlannedStep; readonly dispatchKey: string },
): Promise<WaitsFor | null> {
  const { job, step } = fax;
  const { lines } = step.traits;
  if (lines === null) return null;
  await lockCalls(tx, parts.db.capabilities);
  const { linesOf } = step;
  const perNumber = parts.settings.callsPerNumber();
  const isNumberBusy = (await countCalls(tx, { to: job.to_number })) >= perNumber;
  const isLineFree = (await countCalls(tx, { linesOf })) < lines;
  if (isLineFree && !isNumberBusy && !(await hasLineWaits(tx, linesOf))) return null;
  await insertLineWait(tx, {
    job_id: job.id,
    lines_of: linesOf,
    to_number: job.to_number,
    rank: rankOf(job, parts.clock.now()),
    lines,
    dispatch_key: fax.dispatchKey,
    called_at: null,
  });
  const next = isLineFree ? await callNextInLine(parts, tx, linesOf, job.id) : [];
  if (next.some(({ job_id }) => job_id === job.id)) {
    await removeLineWait(tx, job.id);
    return null;
  }
  await setCalled(tx, job.id, null);
  const isNextToIt = next.some(({ to_number }) => to_number === job.to_number);
  return isNumberBusy || isNextToIt ? 'number' : 'line';
}

function rankOf(job: JobRow, now: number): string {
  const due = Math.max(epochOf(job.created_at), job.send_at === null ? 0 : epochOf(job.send_at));
  // A clock that was set back must not put a fax behind later ones.
  return isoTime(Math.min(due, now) - (job.urgent ? URGENT_AHEAD_MS : 0));
}

/**
 * Reschedules the job of a fax that waits for a line. It retries at once when the fax was called in the meantime,
 * because a running job could not be made due.
 */
export async function waitInLine(
  parts: Parts,
  tx: WriteTx,
  { jobId, at }: { jobId: string; at: number },
): Promise<SettledResult> {
  await lockCalls(tx, parts.db.capabilities);
  const wait = await findLineWait(tx, jobId);
  const isNext = wait === undefined || wait.called_at !== null;
  return { kind: 'retry', at: isNext ? parts.clock.now() : at, reason: 'it waits for a line' };
}

/** Ends the wait of a fax that goes no further, and gives the line it was called to, if any, to the next fax. */
export async function leaveLine(parts: Parts, tx: WriteTx, jobId: string): Promise<void> {
  const wait = await findLineWait(tx, jobId);
  if (!wait) return;
  await lockCalls(tx, parts.db.capabilities);
  await removeLineWait(tx, jobId);
  await callNextInLine(parts, tx, wait.lines_of, null);
}

/** A call is over: its line and its number are free for those that wait. */
export async function releaseLine(
  parts: Parts,
  tx: WriteTx,
  call: { lines_of: string; to_number: string },
): Promise<void> {
  const others = await listAwaitedLines(tx, call.to_number);
  for (const linesOf of new Set([call.lines_of, ...others])) await callNextInLine(parts, tx, linesOf, null);
}

/** Has those sent that have a line now: their jobs are due at once. `own`: the fax whose job runs just now. */
async function callNextInLine(
  { queue, clock, settings }: Parts,
  tx: WriteTx,
  linesOf: string,
  own: string | null,
) {
  const now = clock.now();
  const next = await listNextInLine(tx, {
    linesOf,
    perNumber: settings.callsPerNumber(),
    calledSince: isoTime(now - LINE_CLAIM_TIMEOUT_MS),
    jobId: own,
  });
  for (const { job_id, dispatch_key, called_at } of next) {
    if (job_id === own || called_at !== null) continue;
    await setCalled(tx, job_id, isoTime(now));
    await queue.makeDue(tx, dispatch_key);
  }
  return next;
}
