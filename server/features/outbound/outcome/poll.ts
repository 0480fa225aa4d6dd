import { ProviderError, type ProviderReport } from '../../../adapters/providers/port.ts';
import { DONE, defineJob, type JobDefinition, type JobResult } from '../../../jobs/define-job.ts';
import { epochOf } from '../../../platform/clock.ts';
import { openRoute } from '../accept/capture.ts';
import { isTerminal } from '../delivery-state.ts';
import { FIRST_POLL_MS, type PollPayload, pollJob } from '../dispatch/queued.ts';
import type { OutboundParts } from '../parts.ts';
import { findAttempt } from '../store/attempt-store.ts';
import { findJob } from '../store/job-store.ts';
import { type Actor, type AttemptRow, type JobRow, PROVIDER } from '../types.ts';
import { applyReport, becomeDoubtful, ProviderIdMismatchError } from './outcome.ts';

const MOST_MS = 600_000;
/** A provider ends a fax within minutes; after a day without an outcome a person is asked, and polling goes on. */
const PATIENCE_MS = 24 * 3_600_000;
/** Nobody ends a fax a week later: after one last look the question stays and the asking stops. */
const GIVE_UP_MS = 7 * 24 * 3_600_000;

/** Asks the provider, with the account the fax captured, until the outcome is known. Losing a poll costs nothing. */
export function definePoll(parts: OutboundParts): JobDefinition<PollPayload> {
  return defineJob({
    ...pollJob,
    concurrency: 4,
    lost: 'repeat',
    longestWaitMs: MOST_MS,
    run: async ({ attempt_id }, { attempt: tried }) => {
      const fax = await openFax(parts, attempt_id);
      if (!fax) return DONE;
      const age = parts.clock.now() - epochOf(fax.attempt.submitted_at ?? fax.job.created_at);
      const failure = await pollOnce(parts, fax, PROVIDER).catch((error: unknown) => asFailure(error));
      if (age > PATIENCE_MS) await askPerson(parts, attempt_id);
      if (age > GIVE_UP_MS) return DONE;
      return (await openFax(parts, attempt_id)) ? again(parts, tried, failure) : DONE;
    },
  });
}

function again(parts: OutboundParts, tried: number, failure: string | null): JobResult {
  // 30 s for the first ten looks, then slower: most faxes end within five minutes.
  const wait = Math.min(MOST_MS, FIRST_POLL_MS * 2 ** Math.max(0, tried - 10));
  return { kind: 'retry', at: parts.clock.now() + wait, reason: failure ?? 'no outcome yet' };
}

type PolledFax = { job: JobRow; attempt: AttemptRow & { provider_sid: string } };

/** The fax while an outcome is still to come, else null. */
async function openFax(parts: OutboundParts, attemptId: string): Promise<PolledFax | null> {
  const attempt = await findAttempt(parts.db.read, attemptId);
  const job = attempt && (await findJob(parts.db.read, attempt.job_id));
  if (!job || attempt.provider_sid === null || isTerminal(job.delivery_state)) return null;
  return { job, attempt: { ...attempt, provider_sid: attempt.provider_sid } };
}

/** Asks once and applies the answer. Null when it went well; throws ProviderError when the provider cannot be asked. */
export async function pollOnce(parts: OutboundParts, fax: PolledFax, actor: Actor): Promise<null> {
  const { account } = openRoute(parts.seal, fax.job);
  if (account.accountId !== fax.attempt.provider_account) throw new Error('the captured account is another');
  const report = await parts.transports.of(fax.job.backend).fetchReport(account, fax.attempt.provider_sid);
  await applyAnswer(parts, fax.attempt.id, report, actor);
  return null;
}

async function applyAnswer(
  parts: OutboundParts,
  attemptId: string,
  report: ProviderReport,
  actor: Actor,
): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const attempt = await findAttempt(tx, attemptId);
    const job = attempt && (await findJob(tx, attempt.job_id));
    if (!job) return;
    const doubt = doubtOf(job, report);
    if (doubt) await becomeDoubtful(parts, tx, { job, attempt }, { ...doubt, actor });
    else await applyReport(parts, tx, { job, attempt }, report, actor);
  });
}

/** The provider's fax must be a sent one to our number: else the id is somebody else's, and nothing is concluded. */
function doubtOf(
  job: JobRow,
  report: ProviderReport,
): { reason: string; category: 'provider_id_mismatch' } | null {
  const otherNumber = report.to !== null && report.to !== job.to_number;
  if (!otherNumber && report.direction !== 'received') return null;
  if (isTerminal(job.delivery_state)) return null;
  return {
    reason: `Under ${report.providerId} the provider has a fax of another number. Look it up there, then decide.`,
    category: 'provider_id_mismatch',
  };
}

function asFailure(error: unknown): string {
  if (error instanceof ProviderError || error instanceof ProviderIdMismatchError) return error.message;
  throw error;
}

async function askPerson(parts: OutboundParts, attemptId: string): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const attempt = await findAttempt(tx, attemptId);
    const job = attempt && (await findJob(tx, attempt.job_id));
    if (job?.delivery_state !== 'in_progress') return;
    await becomeDoubtful(
      parts,
      tx,
      { job, attempt: attempt ?? null },
      {
        reason: 'The provider has told no outcome for a day. Ask the receiver, then decide.',
        category: null,
        actor: PROVIDER,
      },
    );
  });
}
