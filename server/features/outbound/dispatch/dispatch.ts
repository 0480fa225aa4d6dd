import { ProviderError } from '../../../adapters/providers/port.ts';
import type { WriteTx } from '../../../db/database.ts';
import { backoff } from '../../../jobs/backoff.ts';
import { DONE, defineJob, type JobDefinition, type JobResult } from '../../../jobs/define-job.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { openRoute } from '../accept/capture.ts';
import { planSending, waitsUntil } from '../accept/send-later.ts';
import { announceVersion, recordChange } from '../events.ts';
import { becomeDoubtful, fail } from '../outcome/outcome.ts';
import type { OutboundParts } from '../parts.ts';
import { changeAttempt, newestAttempt } from '../store/attempt-store.ts';
import { lastHistory } from '../store/history-store.ts';
import { findJob, moveJob } from '../store/job-store.ts';
import { type AttemptRow, type JobRow, SYSTEM } from '../types.ts';
import { artifactProblem } from './artifact.ts';
import { beginAttempt } from './attempt.ts';
import { type DispatchPayload, dispatchJob } from './queued.ts';
import { submit } from './submit.ts';

/** How soon a fax looks again whether sending is on, and whether the provider can be reached. */
const OFF_RETRY_MS = 30_000;
const REACH_RETRY = { first: 15_000, most: 300_000 };
/** A fax that could not leave for a day is not sent behind its sender's back the day after. */
const REACH_PATIENCE_MS = 24 * 3_600_000;

/**
 * Takes one ready fax to its provider. `hold`: when the worker vanishes after `submitting` was flushed, nobody knows
 * whether the provider has the fax, so a person decides.
 */
export function defineDispatch(parts: OutboundParts): JobDefinition<DispatchPayload> {
  return defineJob({
    ...dispatchJob,
    concurrency: 4,
    lost: 'hold',
    longestWaitMs: REACH_RETRY.most,
    run: ({ job_id }, { attempt }) => dispatch(parts, job_id, attempt),
    onLost: (tx, { job_id }) => settleLost(parts, tx, job_id),
  });
}

async function dispatch(parts: OutboundParts, jobId: string, tried: number): Promise<JobResult> {
  const job = await undone(parts, jobId);
  if (job?.delivery_state !== 'ready') return DONE;
  const until = waitsUntil(job, parts.clock.now());
  // Only a clock that was set back in the meantime leads here.
  if (until !== null) return { kind: 'retry', at: until, reason: 'it is planned for later' };
  if (parts.settings.sendingDisabled())
    return { kind: 'retry', at: parts.clock.now() + OFF_RETRY_MS, reason: 'sending is switched off' };
  const fax = await beginAttempt(parts, job);
  if (!fax) return DONE;
  const problem = await artifactProblem(parts, fax.job);
  if (problem) return giveUp(parts, fax, { sentence: problem, category: 'artifact_unavailable' });
  const unreachable = await reachProblem(parts, fax.job);
  if (unreachable) return waitForProvider(parts, fax, unreachable, tried);
  if (parts.settings.sendingDisabled()) return waitForSending(parts, fax.job);
  await submit(parts, fax);
  return DONE;
}

/**
 * The fax as this run finds it. Only one run has its lease, so a fax that stands half-way was left there by a run that
 * could not record how it ended, e.g. because the disk was full: it is settled as a lost one.
 */
async function undone(parts: OutboundParts, jobId: string): Promise<JobRow | undefined> {
  const job = await findJob(parts.db.read, jobId);
  if (job?.delivery_state !== 'preparing' && job?.delivery_state !== 'submitting') return job;
  await parts.db.transaction((tx) => settleLost(parts, tx, jobId));
  return findJob(parts.db.read, jobId);
}

/** Sending was switched off while the fax was prepared. Nothing was sent, so it is ready again. */
async function waitForSending(parts: OutboundParts, job: JobRow): Promise<JobResult> {
  const now = parts.clock.now();
  await parts.db.transaction(async (tx) => {
    const moved = await moveJob(tx, job, 'ready', { at: isoTime(now) });
    if (moved) announceVersion(parts, tx, moved);
  });
  return { kind: 'retry', at: now + OFF_RETRY_MS, reason: 'sending is switched off' };
}

async function reachProblem(parts: OutboundParts, job: JobRow): Promise<string | null> {
  try {
    await parts.transports.of(job.backend).reach(openRoute(parts.seal, job).account);
    return null;
  } catch (error) {
    if (error instanceof ProviderError) return error.publicMessage;
    throw error;
  }
}

/** Nothing was sent, so the fax is ready again; it waits longer each time and gives up after a day. */
async function waitForProvider(
  parts: OutboundParts,
  fax: { job: JobRow; attempt: AttemptRow },
  sentence: string,
  tried: number,
): Promise<JobResult> {
  const now = parts.clock.now();
  const before = await lastHistory(parts.db.read, fax.job.id);
  // Counted from the first try that failed: a fax that was held for a week has not waited for the provider yet.
  const waitingSince = before?.kind === 'waiting' ? epochOf(before.occurred_at) : now;
  if (now - waitingSince > REACH_PATIENCE_MS)
    return giveUp(parts, fax, { sentence, category: 'provider_unavailable' });
  await parts.db.transaction(async (tx) => {
    const moved = await moveJob(tx, fax.job, 'ready', { at: isoTime(now) });
    if (!moved) return;
    await changeAttempt(tx, fax.attempt.id, { error_category: 'provider_unavailable' });
    if (before?.kind === 'waiting') return announceVersion(parts, tx, moved);
    const text = `Waiting for the provider. ${sentence} Nothing was sent; it is tried again by itself.`;
    await recordChange(parts, tx, moved, { event: 'job_updated', kind: 'waiting', text, actor: SYSTEM });
  });
  return { kind: 'retry', at: now + backoff(tried, REACH_RETRY.first, REACH_RETRY.most), reason: sentence };
}

async function giveUp(
  parts: OutboundParts,
  fax: { job: JobRow; attempt: AttemptRow },
  failure: { sentence: string; category: 'artifact_unavailable' | 'provider_unavailable' },
): Promise<JobResult> {
  await parts.db.transaction((tx) => fail(parts, tx, fax, { ...failure, actor: SYSTEM }));
  return DONE;
}

/** The worker that had this fax is gone. Before `submitting` nothing was sent; from then on nobody can know. */
async function settleLost(parts: OutboundParts, tx: WriteTx, jobId: string): Promise<void> {
  const job = await findJob(tx, jobId);
  if (!job) return;
  const attempt = (await newestAttempt(tx, jobId)) ?? null;
  if (job.delivery_state === 'submitting') {
    await becomeDoubtful(
      parts,
      tx,
      { job, attempt },
      {
        reason:
          'The gateway stopped while the fax was being handed to the provider. Ask the receiver, then decide.',
        category: 'worker_lost',
        actor: SYSTEM,
      },
    );
    return;
  }
  const ready =
    job.delivery_state === 'preparing'
      ? await moveJob(tx, job, 'ready', { at: isoTime(parts.clock.now()) })
      : job;
  if (ready && ready !== job) announceVersion(parts, tx, ready);
  if (ready?.delivery_state === 'ready') await planSending(parts, tx, ready);
}
