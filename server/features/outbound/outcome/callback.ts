import type { Backend } from '../../../../shared/backends.ts';
import type { ReportProblem } from '../../../../shared/report-problems.ts';
import type { WriteTx } from '../../../db/database.ts';
import { isTerminal } from '../delivery-state.ts';
import { FaxRefusalError } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep } from '../plan/plan.ts';
import { transportOf } from '../plan/transport-of.ts';
import { pollJob, pollOf } from '../queue/queued.ts';
import { readFaxOf } from '../record/record.ts';
import { findAttempt, newestAttempt } from '../store/attempt-store.ts';
import { markCallbackReceived } from '../store/callback-store.ts';
import { findJob } from '../store/job-store.ts';
import type { AttemptedFax } from '../transition/fact.ts';
import {
  type CallbackForm,
  type CallbackReader,
  TransportError,
  type TransportReport,
} from '../transport-port.ts';
import { PROVIDER } from '../types.ts';
import { findLost, isLost } from './find-lost.ts';
import type { HintLimit } from './hint-limit.ts';
import type { Poller } from './poller.ts';
import { ProviderIdMismatchError, type ReportRecorder } from './report.ts';

/** A submission whose answer is still awaited ends within this. */
const HINT_RETRY_MS = 30_000;

/** Identifies the attempt that the address names; its IDs are secret. */
export interface CallbackHint {
  readonly backend: Backend;
  readonly jobId: string;
  readonly attemptId: string;
}

/** The parts of a callback available before its body is read. */
export interface CallbackHead extends CallbackHint {
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
}

export interface Callback extends CallbackHead {
  readonly form: CallbackForm;
}

/** The refusal of a callback, which is counted. */
function callbackRefusal(
  parts: Pick<OutboundParts, 'reportProblems'>,
  backend: Backend,
  problem: ReportProblem,
): FaxRefusalError {
  parts.reportProblems.refused(backend, problem);
  return new FaxRefusalError('invalid_credential', { message: `a callback was not verified: ${problem}` });
}

const notCurrent = () => new FaxRefusalError('not_current_attempt');

/** Throws a 401 refusal for a callback that no body could prove, so that its body is not awaited. */
export async function checkCallbackHead(
  parts: Pick<OutboundParts, 'db' | 'seal' | 'transports' | 'reportProblems'>,
  callback: CallbackHead,
): Promise<void> {
  const fax = await findFax(parts, callback);
  const captured = fax && capturedReader(parts, fax);
  const problem = captured
    ? captured.reader.headProblem(captured.credentials, callback.header)
    : unverifiable(fax);
  if (problem !== null) throw callbackRefusal(parts, callback.backend, problem);
}

/**
 * Verifies a callback with what the fax captured and applies it. Nothing is recorded before verification: an unknown
 * job, a missing token and a wrong signature are one answer.
 */
export async function receiveCallback(
  parts: Pick<OutboundParts, 'db' | 'seal' | 'transports' | 'reportProblems'> & {
    readonly reports: ReportRecorder;
  },
  callback: Callback,
): Promise<boolean> {
  const fax = await findFax(parts, callback);
  const reader = fax && verifiedReader(parts, fax, callback);
  if (!reader)
    throw callbackRefusal(parts, callback.backend, fax ? 'callback_wrong_signature' : unverifiable(fax));
  const isNewest = await isNewestOf(parts, fax);
  const reading = reader.readCallback(callback.form);
  if (reading.kind === 'unreadable')
    throw new FaxRefusalError('unreadable_request', { message: reading.reason });
  if (!isNewest && reading.kind === 'inflight') throw notCurrent();
  if (reading.kind === 'inflight' || reading.report.direction === 'received') return false;
  const { report } = reading;
  if (report.to !== null && report.to !== fax.job.to_number) throw notCurrent();
  return parts.db.transaction(async (tx) => {
    await markCallbackReceived(tx, fax.attempt.id);
    const now = await readFaxOf(tx, fax.attempt.id);
    if (!now) return recordEarlierSuccess(parts, tx, fax, report);
    try {
      return await parts.reports.recordReport(tx, now, report, PROVIDER);
    } catch (error) {
      if (error instanceof ProviderIdMismatchError) throw notCurrent();
      throw error;
    }
  });
}

/** Records an earlier attempt that was delivered after all. Throws 409 for any other report. */
async function recordEarlierSuccess(
  parts: { readonly reports: ReportRecorder },
  tx: WriteTx,
  earlier: AttemptedFax,
  report: TransportReport,
): Promise<boolean> {
  const isApplied = await parts.reports.recordLateSuccess(tx, earlier, report);
  if (isApplied === null) throw notCurrent();
  return isApplied;
}

/**
 * Treats an unsigned callback as a reason to query the provider, now or as soon as a query is allowed again. Its
 * contents are not read; when the provider cannot be queried, the next poll does it. Searches for a fax whose reference
 * was lost.
 */
export async function receiveHint(
  parts: Pick<OutboundParts, 'db' | 'queue' | 'clock' | 'seal' | 'transports' | 'reportProblems'> & {
    readonly reports: ReportRecorder;
    readonly poller: Poller;
  },
  limit: HintLimit,
  hint: CallbackHint,
): Promise<boolean> {
  const fax = await findFax(parts, hint);
  if (!fax || fax.attempt.callback_url === null)
    throw callbackRefusal(parts, hint.backend, 'callback_no_fax');
  if (!(await isNewestOf(parts, fax))) return queryEarlierAttempt(parts, limit, fax);
  const { job, attempt } = fax;
  await parts.db.transaction((tx) => markCallbackReceived(tx, attempt.id));
  if (isTerminal(job.delivery_state)) return false;
  const isAnswered = attempt.provider_sid !== null || isLost(fax);
  if (!isAnswered || !limit.take(attempt.id)) {
    await schedulePoll(parts, attempt.id, limit.nextAt(attempt.id));
    return false;
  }
  await queryProvider(parts, fax).catch((error: unknown) => {
    if (!(error instanceof TransportError) && !(error instanceof ProviderIdMismatchError)) throw error;
  });
  const after = await findJob(parts.db.read, job.id);
  return after !== undefined && isTerminal(after.delivery_state);
}

/**
 * Queries the outcome of an earlier attempt. Throws 409 unless it was delivered after all, and when the query limit is
 * reached.
 */
async function queryEarlierAttempt(
  parts: Pick<OutboundParts, 'db'> & { readonly reports: ReportRecorder; readonly poller: Poller },
  limit: HintLimit,
  fax: AttemptedFax,
): Promise<boolean> {
  const { attempt } = fax;
  if (attempt.provider_sid === null || !limit.take(attempt.id)) throw notCurrent();
  const report = await parts.poller.queryTransport(fax, attempt.provider_sid).catch((error: unknown) => {
    if (error instanceof TransportError) throw notCurrent();
    throw error;
  });
  return parts.db.transaction((tx) => recordEarlierSuccess(parts, tx, fax, report));
}

async function queryProvider(
  parts: Pick<OutboundParts, 'db' | 'seal' | 'transports'> & {
    readonly reports: ReportRecorder;
    readonly poller: Poller;
  },
  fax: AttemptedFax,
): Promise<void> {
  const reference = fax.attempt.provider_sid;
  if (reference !== null) await parts.poller.pollOnce({ ...fax, reference }, PROVIDER);
  else if (isLost(fax)) await findLost(parts, fax);
}

/** A poll that waits already comes at its time. */
async function schedulePoll(
  parts: Pick<OutboundParts, 'db' | 'queue' | 'clock'>,
  attemptId: string,
  at: number,
): Promise<void> {
  const runAt = Math.max(at, parts.clock.now() + HINT_RETRY_MS);
  const { payload, key } = pollOf(attemptId, parts.clock.now());
  await parts.db.transaction((tx) => parts.queue.enqueue(tx, pollJob, { payload, key, runAt }));
}

/** Returns the problem of a callback that nothing of the fax can verify, or that names none. */
function unverifiable(fax: AttemptedFax | null): ReportProblem {
  return fax ? 'callback_no_token' : 'callback_no_fax';
}

async function findFax(
  parts: Pick<OutboundParts, 'db'>,
  { jobId, attemptId, backend }: CallbackHint,
): Promise<AttemptedFax | null> {
  const attempt = await findAttempt(parts.db.read, attemptId);
  const job = attempt && (await findJob(parts.db.read, attempt.job_id));
  return job?.id === jobId && attempt?.backend === backend ? { job, attempt } : null;
}

async function isNewestOf(
  parts: Pick<OutboundParts, 'db'>,
  { job, attempt }: AttemptedFax,
): Promise<boolean> {
  return (await newestAttempt(parts.db.read, job.id))?.id === attempt.id;
}

/** Returns the reader for a verified callback; null for any other. */
function verifiedReader(
  parts: Pick<OutboundParts, 'seal' | 'transports'>,
  fax: AttemptedFax,
  { form, header }: Callback,
): CallbackReader | null {
  const captured = capturedReader(parts, fax);
  if (!captured) return null;
  const { reader, credentials, url } = captured;
  return reader.verifyCallback(credentials, { url, form, header }) ? reader : null;
}

/** Uses the account, its token and the exact address captured with the fax, whatever the present settings. */
function capturedReader(
  parts: Pick<OutboundParts, 'seal' | 'transports'>,
  { job, attempt }: AttemptedFax,
): { reader: CallbackReader; credentials: unknown; url: string } | null {
  const { account, transport } = openStep(parts.seal, job, attempt.step);
  const { callbacks: reader } = transportOf(parts, [job], transport);
  const url = attempt.callback_url;
  if (!reader || url === null || account.id !== attempt.provider_account) return null;
  return { reader, credentials: account.credentials, url };
}
