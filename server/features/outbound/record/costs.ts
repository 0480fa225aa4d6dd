import type { WriteTx } from '../../../db/database.ts';
import { typicalCallSeconds } from '../../../documents/documents.ts';
import { epochOf } from '../../../platform/clock.ts';
import { SealError } from '../../../platform/errors.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep } from '../plan/plan.ts';
import { costJob, costPollOf } from '../queue/queued.ts';
import type { Fact, Fax } from '../transition/fact.ts';
import { transmittedPages } from '../transmitted-pages.ts';
import type { TransportReport } from '../transport-port.ts';
import type { AttemptRow, JobRow } from '../types.ts';

/** The room of costs, as this one uses it. */
type Costs = OutboundParts['costs'];
type Ending = Parameters<Costs['ended']>[2];

/** Facts of an attempt that a transport took, or may have. Of all others it is certain that nothing was taken. */
const ACCEPTED_FACTS: ReadonlySet<Fact['kind']> = new Set([
  'reported',
  'decided',
  'stopped',
  'unknown',
  'silent',
  'worker_lost',
]);

type Parts = Pick<OutboundParts, 'queue' | 'clock' | 'seal' | 'costs'>;

interface RecordedFact {
  readonly before: Fax;
  readonly after: Fax;
  readonly fact: Fact;
}

/** Records the costs of attempts. */
export interface AttemptCosts {
  /** Records the effects of a change on the cost of the newest attempt, in its transaction. */
  record(tx: WriteTx, change: RecordedFact): Promise<void>;
}

export function createAttemptCosts(parts: Parts): AttemptCosts {
  return { record: (tx, change) => recordCosts(parts, tx, change) };
}

async function recordCosts(parts: Parts, tx: WriteTx, { before, after, fact }: RecordedFact): Promise<void> {
  const { job, attempt } = after;
  if (!attempt || (attempt.transport !== 'provider' && attempt.transport !== 'line')) return;
  if (fact.kind === 'begun') return fact.isNew ? recordBegin(parts, tx, job, attempt) : undefined;
  const hasEnded = ['success', 'failed', 'cancelled', 'abandoned', 'uncertain'].includes(attempt.phase);
  if (!hasEnded || (attempt.phase === before.attempt?.phase && fact.kind !== 'decided')) return;
  const outcome = outcomeOf(attempt);
  if (outcome !== null) await parts.costs.recordOutcome(tx, attempt.id, outcome);
  // On a line of ours only an unanswered call can be stopped.
  const isFree = fact.kind === 'stopped' && attempt.transport === 'line';
  if (isFree || !ACCEPTED_FACTS.has(fact.kind)) return parts.costs.notTaken(tx, attempt.id);
  const mayReport = attempt.transport === 'provider' && isCostQueryable(parts, job, attempt);
  const ending = { ...endingOf({ job, attempt }, fact), mayReport };
  await parts.costs.ended(tx, attempt.id, ending);
  // An uncertain attempt is polled anyway.
  const pollsCost = mayReport && ending.reported === null && attempt.phase !== 'uncertain';
  if (pollsCost && attempt.provider_sid !== null)
    await parts.queue.enqueue(tx, costJob, costPollOf(attempt.id, parts.clock.now()));
}

/**
 * Returns the outcome of an ended attempt for its route; null when the cause was not the route, such as the document.
 */
function outcomeOf({ phase, error_category }: AttemptRow): Parameters<Costs['recordOutcome']>[2] | null {
  if (phase === 'success') return 'success';
  if (phase === 'uncertain') return 'doubt';
  const isOfDocument = error_category === 'artifact_damaged' || error_category === 'artifact_unavailable';
  return phase === 'failed' && !isOfDocument ? 'failed' : null;
}

/** Returns true when its provider can be queried, and when its account cannot be opened now, since it may be later. */
function isCostQueryable({ seal }: Pick<OutboundParts, 'seal'>, job: JobRow, { step }: AttemptRow): boolean {
  try {
    return openStep(seal, job, step).traits.polls;
  } catch (error) {
    if (error instanceof SealError) return true;
    throw error;
  }
}

/**
 * Returns the expected duration of a call in seconds: that of its encoded pages, as the preview measured it, or else that
 * of ordinary pages.
 */
export function expectedSeconds(
  job: Pick<JobRow, 'call_seconds' | 'document_pages' | 'encoded_seconds'>,
  isEncoded: boolean,
): number {
  if (isEncoded && job.encoded_seconds !== null) return job.encoded_seconds;
  return job.call_seconds ?? typicalCallSeconds(job.document_pages);
}

async function recordBegin(
  { costs }: Pick<OutboundParts, 'costs'>,
  tx: WriteTx,
  job: JobRow,
  attempt: AttemptRow,
): Promise<void> {
  await costs.begin(tx, {
    attemptId: attempt.id,
    jobId: job.id,
    backend: attempt.backend,
    routeId: attempt.route_id,
    to: job.to_number,
    pages: transmittedPages(job, attempt),
    seconds: expectedSeconds(job, attempt.encoded_pages !== null),
    mailboxId: job.mailbox_id,
    createdBy: job.created_by,
  });
}

const NO_QUANTITIES = { pages: 0, seconds: 0, calls: 0 } as const;

function endingOf(
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  fact: Fact,
): Omit<Ending, 'mayReport'> {
  const share = shareIn(attempt, job);
  if (fact.kind === 'decided')
    return {
      reported: null,
      billed: fact.outcome === 'success' ? fullQuantities(job, attempt) : null,
      share,
    };
  if (fact.kind !== 'reported') return { reported: null, billed: null, share };
  const { report } = fact;
  return { reported: report.cost, billed: billableQuantities(report, { job, attempt }), share };
}

/** Quantities of a fax that arrived without a measured call. */
const fullQuantities = (job: JobRow, attempt: AttemptRow): Ending['billed'] => ({
  pages: transmittedPages(job, attempt),
  seconds: attempt.transport === 'line' ? null : expectedSeconds(job, attempt.encoded_pages !== null),
  calls: 1,
});

/** Returns the billable quantities that a report shows; null where only the provider can say what it bills. */
function billableQuantities(
  report: TransportReport,
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
): Ending['billed'] {
  const { outcome, call } = report;
  if (attempt.transport === 'line') {
    if (!call) return null;
    const { answeredAt, endedAt } = call;
    if (answeredAt === null) return endedAt === null ? null : NO_QUANTITIES;
    const seconds = endedAt === null ? null : Math.ceil((epochOf(endedAt) - epochOf(answeredAt)) / 1000);
    const pages = report.pages ?? (outcome === 'success' ? transmittedPages(job, attempt) : null);
    return { pages, seconds: seconds === null || seconds < 0 ? null : seconds, calls: 1 };
  }
  if (outcome !== 'success') return null;
  return {
    ...fullQuantities(job, attempt),
    pages: report.pages ?? transmittedPages(job, attempt),
  } as Ending['billed'];
}

function shareIn(
  { call_first_page: first, call_pages: total }: AttemptRow,
  { document_pages: pages }: JobRow,
): Ending['share'] {
  return first === null || total === null ? null : { before: first - 1, pages, total };
}
