import { DONE, defineJob, type JobDefinition } from '../../../jobs/define-job.ts';
import { epochOf } from '../../../platform/clock.ts';
import { SealError } from '../../../platform/errors.ts';
import type { OutboundParts } from '../parts.ts';
import { costJob, type PollPayload } from '../queue/queued.ts';
import type { FaxNotifier } from '../record/events.ts';
import { findAttempt } from '../store/attempt-store.ts';
import { findJob } from '../store/job-store.ts';
import { costIn } from '../transition/share.ts';
import { TransportError } from '../transport-port.ts';
import type { AttemptRow, JobRow } from '../types.ts';
import type { Poller } from './poller.ts';
import type { ReportRecorder } from './report.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * Time limit for late billing data, in ms: some providers report charges late, and after this nothing more is expected.
 */
const MAX_BILLING_DELAY_MS = 7 * DAY_MS;

/**
 * Polls a provider for the charge of a fax that has ended, until it reports one or a week has passed. Losing a query is
 * harmless.
 */
export function defineCostPoll(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'seal' | 'costs'> & {
    readonly notifier: FaxNotifier;
    readonly reports: ReportRecorder;
    readonly poller: Poller;
  },
): JobDefinition<PollPayload> {
  return defineJob({
    ...costJob,
    concurrency: parts.seal.problem === null ? 2 : 0,
    lost: 'repeat',
    maxWaitMs: DAY_MS,
    mayComeEarly: true,
    run: async ({ attempt_id }) => {
      const attempt = await findAttempt(parts.db.read, attempt_id);
      const job = attempt && (await findJob(parts.db.read, attempt.job_id));
      if (!attempt || !job || attempt.provider_sid === null) return DONE;
      const reason = await pollCost(parts, { job, attempt }, attempt.provider_sid);
      if (reason === null) return DONE;
      const now = parts.clock.now();
      const age = now - epochOf(attempt.completed_at ?? attempt.submitted_at ?? job.updated_at);
      if (age < MAX_BILLING_DELAY_MS) return { kind: 'retry', at: now + pollInterval(age), reason };
      await parts.db.transaction((tx) => parts.costs.settle(tx, attempt_id));
      return DONE;
    },
  });
}

function pollInterval(age: number): number {
  if (age < HOUR_MS) return HOUR_MS;
  return age < DAY_MS ? 6 * HOUR_MS : DAY_MS;
}

/** Returns null once the amount is known, else the reason why it is not. */
async function pollCost(
  parts: Pick<OutboundParts, 'db' | 'costs'> & {
    readonly notifier: FaxNotifier;
    readonly reports: ReportRecorder;
    readonly poller: Poller;
  },
  fax: { job: JobRow; attempt: AttemptRow },
  reference: string,
): Promise<string | null> {
  const report = await parts.poller.queryTransport(fax, reference).catch((error: unknown) => {
    if (error instanceof TransportError || error instanceof SealError) return error.message;
    throw error;
  });
  if (typeof report === 'string') return report;
  if (fax.attempt.phase === 'failed')
    await parts.db.transaction((tx) => parts.reports.recordLateSuccess(tx, fax, report));
  const cost = costIn(report, fax);
  if (cost === null) return 'the provider has not reported the cost yet';
  await parts.db.transaction(async (tx) => {
    if (await parts.costs.charged(tx, fax.attempt.id, cost)) parts.notifier.notifyVersion(tx, fax.job);
  });
  return null;
}
