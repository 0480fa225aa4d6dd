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
/** A fax of a broadcast lets all single ones go first, but for those that come after it has waited a day. */
const BROADCAST_BEHIND_MS = 24 * 3_600_000;
/**
 * Time within which a called fax must take its line, before others go first: it may not come, e.g. because sending was
 * switched off.
 */
const LINE_CLAIM_TIMEOUT_MS = 30_000;

type Parts = Pick<OutboundParts, 'db' | 'queue' | 'clock' | 'settings'>;

/** A fax whose time has come. */
interface DueFax {
  readonly job: JobRow;
  readonly step: PlannedStep;
  readonly dispatchKey: string;
}

/** The lines of the accounts, and the faxes that wait for one. All of it runs in the caller's transaction. */
export interface Lines {
  /**
   * Takes a line for a fax whose time has come. Null when it has one; else what it waits for, and it has its place in the
   * line. First come, first served; an urgent one goes first.
   */
  claim(tx: WriteTx, fax: DueFax): Promise<WaitsFor | null>;
  /**
   * Reschedules the job of a fax that waits for a line. It retries at once when the fax was called in the meantime,
   * because a running job could not be made due.
   */
  wait(tx: WriteTx, job: { readonly jobId: string; readonly at: number }): Promise<SettledResult>;
  /** Ends the wait of a fax that goes no further, and gives the line it was called to, if any, to the next fax. */
  leave(tx: WriteTx, jobId: string): Promise<void>;
  /** Gives the line and the number of a call that is over to those that wait. */
  release(tx: WriteTx, call: { readonly lines_of: string; readonly to_number: string }): Promise<void>;
}

export function createLines(parts: Parts): Lines {
  return {
    claim: (tx, fax) => claimLine(parts, tx, fax),
    wait: (tx, job) => waitInLine(parts, tx, job),
    leave: (tx, jobId) => leaveLine(parts, tx, jobId),
    release: (tx, call) => releaseLine(parts, tx, call),
  };
}

async function claimLine(parts: Parts, tx: WriteTx, fax: DueFax): Promise<WaitsFor | null> {
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
  const due = Math.max(
    ...[job.created_at, job.send_at, job.hours_at].flatMap((time) => (time === null ? [] : epochOf(time))),
  );
  // A clock that was set back must not put a fax behind later ones.
  const behind = job.broadcast_id === null ? 0 : BROADCAST_BEHIND_MS;
  return isoTime(Math.min(due, now) - (job.urgent ? URGENT_AHEAD_MS : 0) + behind);
}

async function waitInLine(
  parts: Parts,
  tx: WriteTx,
  { jobId, at }: { jobId: string; at: number },
): Promise<SettledResult> {
  await lockCalls(tx, parts.db.capabilities);
  const wait = await findLineWait(tx, jobId);
  const isNext = wait === undefined || wait.called_at !== null;
  return { kind: 'retry', at: isNext ? parts.clock.now() : at, reason: 'it waits for a line' };
}

async function leaveLine(parts: Parts, tx: WriteTx, jobId: string): Promise<void> {
  const wait = await findLineWait(tx, jobId);
  if (!wait) return;
  await lockCalls(tx, parts.db.capabilities);
  await removeLineWait(tx, jobId);
  await callNextInLine(parts, tx, wait.lines_of, null);
}

async function releaseLine(
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
