import { DONE, defineJob, type JobDefinition, type JobResult } from '../../../jobs/define-job.ts';
import { epochOf } from '../../../platform/clock.ts';
import { SealError } from '../../../platform/errors.ts';
import { hasEnded } from '../attempt-state.ts';
import { isTerminal } from '../delivery-state.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep } from '../plan/plan.ts';
import { FIRST_POLL_MS, type PollPayload, pollJob } from '../queue/queued.ts';
import { announceProgress } from '../record/events.ts';
import { readCall, readFaxOf, record } from '../record/record.ts';
import { markUnqueryable } from '../record/unusable-key.ts';
import { findAttempt } from '../store/attempt-store.ts';
import { attemptsOfCalls } from '../store/together-store.ts';
import { TransportError, type TransportReport } from '../transport-port.ts';
import { type Actor, type AttemptRow, type JobRow, PROVIDER } from '../types.ts';
import { findLost, hasOurIds, isLost } from './find-lost.ts';
import { recordLateSuccess } from './late-success.ts';
import { ProviderIdMismatchError, recordReport } from './report.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * Time without an outcome before a person must decide, in ms. A provider ends a fax within minutes; polling goes on.
 */
const CONFIRMATION_AFTER_MS = DAY_MS;

/** Polls the provider, with the account the fax captured, until the outcome is known. Losing a poll is harmless. */
export function definePoll(parts: OutboundParts): JobDefinition<PollPayload> {
  return defineJob({
    ...pollJob,
    concurrency: parts.seal.problem === null ? 4 : 0,
    lost: 'repeat',
    maxWaitMs: DAY_MS,
    mayComeEarly: true,
    run: async ({ attempt_id }) => {
      const isSearched = await searchLostFax(parts, attempt_id);
      const fax = await openFax(parts, attempt_id);
      if (!fax) return isSearched ? DONE : retrySearch(parts);
      const age = parts.clock.now() - epochOf(fax.attempt.submitted_at ?? fax.job.created_at);
      if (!(await isCallPoller(parts, fax)))
        return {
          kind: 'retry',
          at: parts.clock.now() + pollInterval(age),
          reason: 'another fax of its call asks',
        };
      const failure = await pollOnce(parts, fax, PROVIDER).catch((error: unknown) => error);
      if (failure instanceof SealError) return handleSealError(parts, attempt_id, failure);
      const reason = failure === null ? 'no outcome yet' : failureMessage(failure);
      if (age > CONFIRMATION_AFTER_MS) await recordSilence(parts, attempt_id);
      if (!(await openFax(parts, attempt_id))) return DONE;
      return { kind: 'retry', at: parts.clock.now() + pollInterval(age), reason };
    },
  });
}

/**
 * Searches for a fax whose reference was lost, once for each hint. Returns false when the search must be repeated: the
 * transport has our IDs, so it can answer reliably, but could not be queried or had no answer yet.
 */
async function searchLostFax(parts: OutboundParts, attemptId: string): Promise<boolean> {
  const fax = await readFaxOf(parts.db.read, attemptId);
  if (!isLost(fax)) return true;
  const found = await findLost(parts, fax).catch((failure: unknown) => ({ failure }));
  if (typeof found === 'string') await removeEnded(parts, { ...fax, reference: found });
  else if (found !== null) {
    if (found.failure instanceof SealError) return true;
    failureMessage(found.failure);
  }
  return !hasOurIds(fax) || !isLost(await readFaxOf(parts.db.read, attemptId));
}

function retrySearch({ clock }: OutboundParts): JobResult {
  return {
    kind: 'retry',
    at: clock.now() + FIRST_POLL_MS,
    reason: 'it is not known whether the call was begun',
  };
}

/** Returns the wait before the next poll of an attempt of this age, in ms: most faxes end within minutes. */
function pollInterval(age: number): number {
  if (age < HOUR_MS) return FIRST_POLL_MS;
  if (age < DAY_MS) return 10 * 60_000;
  return age < 7 * DAY_MS ? HOUR_MS : DAY_MS;
}

interface PolledFax {
  readonly job: JobRow;
  readonly attempt: AttemptRow;
  readonly reference: string;
}

/** The fax while an outcome of this attempt is still to come, else null. */
async function openFax(parts: OutboundParts, attemptId: string): Promise<PolledFax | null> {
  const fax = await readFaxOf(parts.db.read, attemptId);
  if (!fax || fax.attempt.provider_sid === null) return null;
  if (isTerminal(fax.job.delivery_state) || hasEnded(fax.attempt.phase)) return null;
  return { ...fax, reference: fax.attempt.provider_sid };
}

/** Returns true for the one fax of a call that polls for all: the first without an outcome. */
async function isCallPoller({ db }: OutboundParts, { attempt }: PolledFax): Promise<boolean> {
  if (attempt.call_first_page === null || attempt.call_id === null) return true;
  const open = (await attemptsOfCalls(db.read, [attempt.call_id])).find(({ phase }) => !hasEnded(phase));
  return open === undefined || open.id === attempt.id;
}

/**
 * Queries once and applies the answer. Null when it went well; throws TransportError when the transport cannot be
 * queried.
 */
export async function pollOnce(parts: OutboundParts, fax: PolledFax, actor: Actor): Promise<null> {
  const report = await queryTransport(parts, fax, fax.reference);
  if (parts.progress.record(fax.attempt, report.progress ?? null)) await announceCall(parts, fax);
  await parts.db.transaction(async (tx) => {
    const now = await readFaxOf(tx, fax.attempt.id);
    if (!now) {
      await recordLateSuccess(parts, tx, fax, report);
      return;
    }
    const reason = isTerminal(now.job.delivery_state)
      ? null
      : otherFaxReason(now.job, report, parts.transports.nameOf(now.attempt.backend));
    if (reason === null) await recordReport(parts, tx, now, report, actor);
    else await record(parts, tx, now, { kind: 'unknown', reason, category: 'provider_id_mismatch' }, actor);
  });
  await removeEnded(parts, fax);
  return null;
}

/** Notifies consoles of every fax of the call. */
async function announceCall(parts: OutboundParts, fax: PolledFax): Promise<void> {
  const { call_id, call_first_page } = fax.attempt;
  const isAlone = call_id === null || call_first_page === null;
  for (const { job } of isAlone ? [fax] : await readCall(parts.db.read, call_id))
    announceProgress(parts, job);
}

/** Returns true when another fax of the same call has no outcome yet. */
async function isAwaited({ db }: OutboundParts, { call_id, call_first_page }: AttemptRow): Promise<boolean> {
  if (call_id === null || call_first_page === null) return false;
  return (await attemptsOfCalls(db.read, [call_id])).some(({ phase }) => !hasEnded(phase));
}

/** Removes a fax from its transport once its end is recorded. A failed request leaves it there. */
export async function removeEnded(
  parts: OutboundParts,
  { job, attempt, reference }: PolledFax,
): Promise<void> {
  // The attempt has also ended when the fax continues by another route.
  const now = await findAttempt(parts.db.read, attempt.id);
  if (!now || !hasEnded(now.phase) || (await isAwaited(parts, attempt))) return;
  const { account, transport } = openStep(parts.seal, job, attempt.step);
  try {
    await parts.transports.of(transport).forget?.(account.credentials, reference);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    parts.logger.warn({ error, job_id: job.id }, 'what the transport keeps of a fax could not be removed');
  }
}

/** Queries with the account that the step of the attempt captured. Throws TransportError. */
export async function queryTransport(
  parts: OutboundParts,
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  reference: string,
): Promise<TransportReport> {
  const { account, transport } = openStep(parts.seal, job, attempt.step);
  if (account.id !== attempt.provider_account) throw new Error('the captured account is another');
  return parts.transports.of(transport).fetchReport(account.credentials, reference);
}

/**
 * Returns a sentence when the provider's fax is not one sent to our number. The ID is then that of another fax, so
 * nothing is concluded. Null when it matches.
 */
function otherFaxReason(job: JobRow, report: TransportReport, provider: string): string | null {
  const otherNumber = report.to !== null && report.to !== job.to_number;
  if (!otherNumber && report.direction !== 'received') return null;
  return `${provider} has a fax to another number under the ID ${report.reference}. Ask ${provider}, then decide.`;
}

/** The account was sealed with another data key: nothing changes until a start with the right one. */
async function handleSealError(
  parts: OutboundParts,
  attemptId: string,
  { message }: SealError,
): Promise<JobResult> {
  await parts.db.transaction((tx) => markUnqueryable(parts, tx, attemptId));
  return { kind: 'retry', at: parts.clock.now() + HOUR_MS, reason: message };
}

function failureMessage(error: unknown): string {
  if (error instanceof TransportError || error instanceof ProviderIdMismatchError) return error.message;
  throw error;
}

async function recordSilence(parts: OutboundParts, attemptId: string): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const fax = await readFaxOf(tx, attemptId);
    if (fax) await record(parts, tx, fax, { kind: 'silent' }, PROVIDER);
  });
}
