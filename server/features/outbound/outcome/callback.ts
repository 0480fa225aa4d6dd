import { FIXED_MESSAGES } from '../../../../shared/api/errors.ts';
import type { Backend } from '../../../../shared/states.ts';
import { type CallbackForm, type CallbackReader, ProviderError } from '../../../adapters/providers/port.ts';
import { openRoute } from '../accept/capture.ts';
import { isTerminal } from '../delivery-state.ts';
import { FaxRefusalError } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { findAttempt, newestAttempt } from '../store/attempt-store.ts';
import { findJob } from '../store/job-store.ts';
import { type AttemptRow, type JobRow, PROVIDER } from '../types.ts';
import { applyReport, ProviderIdMismatchError } from './outcome.ts';
import { pollOnce } from './poll.ts';

/** Which attempt the address names; nobody else knows its ids. */
export interface CallbackHint {
  readonly backend: Backend;
  readonly jobId: string;
  readonly attemptId: string;
}

export interface Callback extends CallbackHint {
  readonly form: CallbackForm;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
}

const forged = () =>
  new FaxRefusalError(401, FIXED_MESSAGES.badCredential, { message: 'a callback was not verified' });
const notCurrent = () => new FaxRefusalError(409, 'This is not the current attempt of the fax.');

/**
 * Verifies a callback with what the fax captured and applies it. Nothing is recorded before verification: an unknown
 * job, a missing token and a wrong signature are one answer.
 */
export async function receiveCallback(parts: OutboundParts, callback: Callback): Promise<boolean> {
  const fax = await findFax(parts, callback);
  const provider = parts.transports.callbacksOf(callback.backend);
  if (!fax || !provider || !isGenuine(parts, provider, fax, callback)) throw forged();
  const newest = await newestAttempt(parts.db.read, fax.job.id);
  if (newest?.id !== fax.attempt.id) throw notCurrent();
  const reading = provider.readCallback(callback.form);
  if (reading.kind === 'unreadable')
    throw new FaxRefusalError(400, FIXED_MESSAGES.unreadableBody, { message: reading.reason });
  if (reading.kind === 'inflight' || reading.report.direction === 'received') return false;
  const { report } = reading;
  if (report.to !== null && report.to !== fax.job.to_number) throw notCurrent();
  return parts.db.transaction(async (tx) => {
    const attempt = await findAttempt(tx, fax.attempt.id);
    const job = await findJob(tx, fax.job.id);
    if (!attempt || !job) throw forged();
    try {
      return await applyReport(parts, tx, { job, attempt }, report, PROVIDER);
    } catch (error) {
      if (error instanceof ProviderIdMismatchError) throw notCurrent();
      throw error;
    }
  });
}

/**
 * Takes an unsigned callback for a reason to ask the provider now. What it says is not read; when the provider cannot be
 * asked, the next poll does.
 */
export async function receiveHint(parts: OutboundParts, hint: CallbackHint): Promise<boolean> {
  const fax = await findFax(parts, hint);
  if (!fax || fax.attempt.callback_url === null) throw forged();
  const { job, attempt } = fax;
  const newest = await newestAttempt(parts.db.read, job.id);
  if (newest?.id !== attempt.id) throw notCurrent();
  const { provider_sid } = attempt;
  if (provider_sid === null || isTerminal(job.delivery_state)) return false;
  const polled = { job, attempt: { ...attempt, provider_sid } };
  await pollOnce(parts, polled, PROVIDER).catch((error: unknown) => {
    if (!(error instanceof ProviderError) && !(error instanceof ProviderIdMismatchError)) throw error;
  });
  const after = await findJob(parts.db.read, job.id);
  return after !== undefined && isTerminal(after.delivery_state);
}

async function findFax(
  parts: OutboundParts,
  { jobId, attemptId, backend }: CallbackHint,
): Promise<{ job: JobRow; attempt: AttemptRow } | null> {
  const attempt = await findAttempt(parts.db.read, attemptId);
  const job = attempt && (await findJob(parts.db.read, attempt.job_id));
  return attempt && job?.id === jobId && job.backend === backend ? { job, attempt } : null;
}

/** The account, its token and the exact address are those captured with the fax, whatever the settings say today. */
function isGenuine(
  parts: OutboundParts,
  provider: CallbackReader,
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  { form, header }: Callback,
): boolean {
  const { account } = openRoute(parts.seal, job);
  const signature = provider.signatureHeaders.map(header).find((value) => value !== undefined);
  if (!account.verifySignature || !account.callbackToken || !attempt.callback_url || !signature) return false;
  if (account.accountId !== attempt.provider_account) return false;
  return provider.verifyCallback(account.callbackToken, attempt.callback_url, form, signature);
}
