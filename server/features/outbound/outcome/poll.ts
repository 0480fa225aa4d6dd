import { DONE, defineJob, type JobDefinition } from '../../../jobs/define-job.ts';
import { epochOf } from '../../../platform/clock.ts';
import { openStep } from '../accept/plan.ts';
import { hasEnded } from '../attempt-state.ts';
import { isTerminal } from '../delivery-state.ts';
import { FIRST_POLL_MS, type PollPayload, pollJob } from '../dispatch/queued.ts';
import type { OutboundParts } from '../parts.ts';
import { TransportError, type TransportReport } from '../port.ts';
import { readFaxOf, record } from '../transition/record.ts';
import { type Actor, type AttemptRow, type JobRow, PROVIDER } from '../types.ts';
import { ProviderIdMismatchError, recordReport } from './report.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A provider ends a fax within minutes; after a day without an outcome a person is asked, and polling goes on. */
const PATIENCE_MS = DAY_MS;

/** Asks the provider, with the account the fax captured, until the outcome is known. Losing a poll costs nothing. */
export function definePoll(parts: OutboundParts): JobDefinition<PollPayload> {
  return defineJob({
    ...pollJob,
    concurrency: 4,
    lost: 'repeat',
    longestWaitMs: DAY_MS,
    mayComeEarly: true,
    run: async ({ attempt_id }) => {
      const fax = await openFax(parts, attempt_id);
      if (!fax) return DONE;
      const age = parts.clock.now() - epochOf(fax.attempt.submitted_at ?? fax.job.created_at);
      const failure = await pollOnce(parts, fax, PROVIDER).catch((error: unknown) => asFailure(error));
      if (age > PATIENCE_MS) await tellSilence(parts, attempt_id);
      if (!(await openFax(parts, attempt_id))) return DONE;
      return { kind: 'retry', at: parts.clock.now() + waitAt(age), reason: failure ?? 'no outcome yet' };
    },
  });
}

/** How long to wait until the next look at an attempt of this age: most faxes end within minutes. Milliseconds. */
function waitAt(age: number): number {
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

/** Asks once and applies the answer. Null when it went well; throws TransportError when the transport cannot be asked. */
export async function pollOnce(parts: OutboundParts, fax: PolledFax, actor: Actor): Promise<null> {
  const report = await askTransport(parts, fax, fax.reference);
  await parts.db.transaction(async (tx) => {
    const now = await readFaxOf(tx, fax.attempt.id);
    if (!now) return;
    const reason = isTerminal(now.job.delivery_state) ? null : otherFax(now.job, report);
    if (reason === null) await recordReport(parts, tx, now, report, actor);
    else await record(parts, tx, now, { kind: 'unknown', reason, category: 'provider_id_mismatch' }, actor);
  });
  return null;
}

/** Asks with the account that the step of the attempt captured. Throws TransportError. */
export async function askTransport(
  parts: OutboundParts,
  { job, attempt }: { job: JobRow; attempt: AttemptRow },
  reference: string,
): Promise<TransportReport> {
  const { account, transport } = openStep(parts.seal, job, attempt.step);
  if (account.id !== attempt.provider_account) throw new Error('the captured account is another');
  return parts.transports.of(transport).resume(account.credentials, reference);
}

/** The provider's fax must be a sent one to our number: else the id is somebody else's, and nothing is concluded. */
function otherFax(job: JobRow, report: TransportReport): string | null {
  const otherNumber = report.to !== null && report.to !== job.to_number;
  if (!otherNumber && report.direction !== 'received') return null;
  return `Under ${report.reference} the provider has a fax of another number. Check with the provider, then decide.`;
}

function asFailure(error: unknown): string {
  if (error instanceof TransportError || error instanceof ProviderIdMismatchError) return error.message;
  throw error;
}

async function tellSilence(parts: OutboundParts, attemptId: string): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const fax = await readFaxOf(tx, attemptId);
    if (fax) await record(parts, tx, fax, { kind: 'silent' }, PROVIDER);
  });
}
