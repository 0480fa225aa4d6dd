import type { WaitsFor } from '../../../../shared/states/outbound.ts';
import type { WriteTx } from '../../../db/database.ts';
import { newId } from '../../../platform/ids.ts';
import { hasEnded, nextStep } from '../attempt-state.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep, routeOf } from '../plan/plan.ts';
import type { Lines } from '../queue/lines.ts';
import { dispatchOf } from '../queue/queued.ts';
import { withdrawSending } from '../queue/send-later.ts';
import { type CallShare, isCall, listCompanions, sharesOf } from '../queue/together.ts';
import type { Recorder } from '../record/record.ts';
import { newestAttempt } from '../store/attempt-store.ts';
import { type CallRow, insertCall } from '../store/call-store.ts';
import type { Fax } from '../transition/fact.ts';
import { limitColumns } from '../transition/limits.ts';
import { type AttemptRow, type JobRow, type PlannedStep, SYSTEM } from '../types.ts';
import { filterWithinLimits, mayBeginOnLine } from './within-limits.ts';

type Parts = Pick<OutboundParts, 'db' | 'queue' | 'clock' | 'seal' | 'settings' | 'spending' | 'contacts'> & {
  readonly lines: Lines;
  readonly recorder: Recorder;
};

/** A fax whose next step was taken on. */
export interface BegunFax {
  readonly job: JobRow;
  readonly attempt: AttemptRow;
  readonly step: PlannedStep;
}

/** Faxes that begin together in one call; usually a single fax. */
export interface BegunCall {
  /** The fax whose dispatch makes the call. */
  readonly lead: BegunFax;
  /** The lead and those it takes along, in the order of their pages. */
  readonly faxes: readonly BegunFax[];
  /** Name in the storage of what several faxes are sent as; null for one. */
  readonly artifact: string | null;
}

/**
 * Result of beginning a fax: it has begun, it waits for a line, or null when another worker was faster or a spending
 * limit holds it.
 */
type BeginResult = { readonly begun: BegunCall } | { readonly waitsFor: WaitsFor } | null;

/** A fax that is about to begin. */
interface CallMember {
  readonly fax: Fax;
  readonly step: PlannedStep;
}

/** Begins the steps of faxes. */
export interface Attempts {
  /**
   * Moves a ready fax to `preparing` with the attempt of this step, counted from 1, together with the faxes that share
   * its call. An attempt from which nothing was sent continues under its number. Where calls are counted it takes a line,
   * or waits for one.
   */
  begin(job: JobRow, step: number): Promise<BeginResult>;
}

export function createAttempts(parts: Parts): Attempts {
  return { begin: (job, step) => beginAttempt(parts, job, step) };
}

async function beginAttempt(parts: Parts, job: JobRow, wanted: number): Promise<BeginResult> {
  return parts.db.transaction(async (tx) => {
    const newest = (await newestAttempt(tx, job.id)) ?? null;
    if (nextStep(newest) !== wanted) return null;
    const step = openStep(parts.seal, job, wanted);
    const fax = { job, attempt: newest };
    const waitsFor = await parts.lines.claim(tx, { job, step, dispatchKey: dispatchOf(job, newest).key });
    if (waitsFor !== null) {
      await parts.recorder.record(tx, fax, { kind: 'waits', for: waitsFor }, SYSTEM);
      return { waitsFor };
    }
    if (!(await mayBeginOnLine(parts, tx, { fax, step }))) return null;
    const begun = await beginCall(parts, tx, { fax, step });
    return begun && { begun };
  });
}

async function beginCall(parts: Parts, tx: WriteTx, lead: CallMember): Promise<BegunCall | null> {
  const waiting = await listCompanions(parts, tx, { job: lead.fax.job, step: lead.step });
  const companions = await filterWithinLimits(parts, tx, waiting);
  if (companions.length === 0) {
    const id = lead.step.traits.lines === null ? null : newId();
    const begun = await begin(parts, tx, lead, { call_id: id, ...ALONE });
    if (begun && id !== null) await insertCall(tx, callRow(id, begun, null));
    return begun && { lead: begun, faxes: [begun], artifact: null };
  }
  const members = [lead, ...companions].sort((a, b) => compareByAge(a.fax.job, b.fax.job));
  const shares = sharesOf(members.map(({ fax }) => fax.job));
  const id = newId();
  const faxes: BegunFax[] = [];
  for (const [i, member] of members.entries()) {
    const begun = await begin(parts, tx, member, { call_id: id, ...(shares[i] as CallShare) });
    // Nothing of this was recorded then: all that is read here is read for this change.
    if (!begun) throw new Error('a fax changed while its call began');
    if (member !== lead) await withdrawSending(parts, tx, begun.job, member.fax.attempt);
    faxes.push(begun);
  }
  const begunLead = faxes[members.indexOf(lead)] as BegunFax;
  const artifact = `fax/call-${id}.pdf`;
  await insertCall(tx, callRow(id, begunLead, artifact));
  return { lead: begunLead, faxes, artifact };
}

const ALONE = { call_first_page: null, call_pages: null } as const;

/** Oldest first. */
const compareByAge = (a: JobRow, b: JobRow): number =>
  a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? -1 : 1;

function callRow(id: string, { job, step }: BegunFax, artifact: string | null): CallRow {
  return {
    id,
    lines_of: step.linesOf,
    to_number: job.to_number,
    lead_job_id: job.id,
    artifact,
    ended_at: null,
  };
}

async function begin(
  parts: { readonly recorder: Recorder },
  tx: WriteTx,
  { fax, step }: CallMember,
  call: Pick<AttemptRow, 'call_id' | 'call_first_page' | 'call_pages'>,
): Promise<BegunFax | null> {
  const isContinued = fax.attempt?.phase === 'preparing';
  const before = isContinued && fax.attempt ? fax.attempt : newAttempt(fax.job, step, fax.attempt);
  const attempt = { ...before, ...call, encoded_pages: encodedPagesOf(fax, step) };
  const begun = await parts.recorder.record(tx, fax, { kind: 'begun', attempt, isNew: !isContinued }, SYSTEM);
  return begun && { job: begun.job, attempt, step };
}

function newAttempt(job: JobRow, planned: PlannedStep, before: AttemptRow | null): AttemptRow {
  const id = newId();
  return {
    id,
    job_id: job.id,
    number: (before?.number ?? 0) + 1,
    step: nextStep(before),
    transport: planned.transport.kind,
    backend: planned.transport.backend,
    phase: 'preparing',
    provider_account: planned.account.id,
    ...routeOf(planned),
    provider_sid: null,
    submitted_at: null,
    completed_at: null,
    pages_sent: null,
    seconds: null,
    rate_bps: null,
    error_category: null,
    unreached: null,
    failure_code: null,
    callback_url: callbackUrl(job.id, id, planned),
    callback_result: null,
    waiting_since: null,
    retry_at: null,
    ends_here: 0,
    call_id: null,
    encoded_pages: null,
    ...ALONE,
    ...limitColumns(null),
    learned_at: null,
  };
}

/**
 * Returns the number of encoded pages that an attempt sends; null for ordinary pages. After an earlier attempt with encoded
 * pages that ended without a receipt, those in clear are given up; encrypted ones never become pages in clear.
 */
function encodedPagesOf({ job, attempt }: Fax, step: PlannedStep): number | null {
  if (job.encoded_pages === null || !isCall(step)) return null;
  const isOver = attempt !== null && hasEnded(attempt.phase) && attempt.unreached === null;
  const isDoubted = isOver && attempt.encoded_pages !== null && attempt.submitted_at !== null;
  return isDoubted && job.encoded_mode === 'plain' ? null : job.encoded_pages;
}

/** The exact public address of the attempt's callback; its signature is checked over this text, never a rebuilt one. */
function callbackUrl(jobId: string, attemptId: string, { callbackBase, traits }: PlannedStep): string | null {
  if (callbackBase === null || !traits.callbacks) return null;
  return `${callbackBase}?job_id=${jobId}&attempt_id=${attemptId}`;
}
