import type { z } from 'zod';
import type { Reconciliation } from '../../../../shared/api/outbound-shapes.ts';
import { ProviderError, type ProviderReport } from '../../../adapters/providers/port.ts';
import type { ReadDb } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { openRoute } from '../accept/capture.ts';
import { planSending, withdrawSending } from '../accept/send-later.ts';
import { FaxRefusalError, noSuchFax, notInThisState, stale } from '../errors.ts';
import { recordChange } from '../events.ts';
import type { OutboundParts } from '../parts.ts';
import { changeAttempt, newestAttempt } from '../store/attempt-store.ts';
import { findJob, moveJob } from '../store/job-store.ts';
import type { Actor, AttemptRow, JobRow } from '../types.ts';
import { applyReport, ProviderIdMismatchError } from './outcome.ts';
import { pollOnce } from './poll.ts';

interface Command {
  readonly id: string;
  readonly version: number;
  readonly actor: Actor;
}

/** A person lets a held fax go. Held faxes never leave by themselves. */
export async function release(parts: OutboundParts, command: Command): Promise<void> {
  if (parts.settings.sendingDisabled()) throw notInThisState('Sending is switched off; switch it on first.');
  await parts.db.transaction(async (tx) => {
    const job = await current(tx, command);
    if (job.delivery_state !== 'held') throw notInThisState('Only a held fax can be released.');
    const moved = await orStale(moveJob(tx, job, 'ready', { at: isoTime(parts.clock.now()) }));
    await planSending(parts, tx, moved);
    await recordChange(parts, tx, moved, {
      event: 'job_updated',
      kind: 'released',
      text: 'Released for sending.',
      ...command,
    });
  });
}

export async function cancel(parts: OutboundParts, command: Command): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const job = await current(tx, command);
    if (job.delivery_state !== 'held' && job.delivery_state !== 'ready')
      throw notInThisState('It is too late to cancel this fax: it was handed over or has ended.');
    const at = isoTime(parts.clock.now());
    const moved = await orStale(
      moveJob(tx, job, 'cancelled', { at, error: 'Cancelled before it was sent.' }),
    );
    const attempt = await newestAttempt(tx, job.id);
    if (attempt?.phase === 'preparing')
      await changeAttempt(tx, attempt.id, { phase: 'cancelled', completed_at: at });
    await withdrawSending(parts, tx, moved);
    await recordChange(parts, tx, moved, {
      event: 'job_updated',
      kind: 'cancelled',
      text: 'Cancelled before it was sent.',
      ...command,
    });
  });
}

/** A person decides a doubtful fax, or names the provider fax that it became. Nothing is ever sent here. */
export async function reconcile(
  parts: OutboundParts,
  command: Command,
  decision: z.infer<typeof Reconciliation>,
): Promise<void> {
  if ('provider_sid' in decision) await attach(parts, command, decision.provider_sid);
  else await decide(parts, command, decision);
}

async function decide(
  parts: OutboundParts,
  command: Command,
  { outcome, note }: { outcome: 'success' | 'failed'; note: string },
): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const { job, attempt } = await doubtful(tx, command);
    const at = isoTime(parts.clock.now());
    const moved = await orStale(
      moveJob(tx, job, outcome, {
        at,
        reconciliation_reason: null,
        error: outcome === 'failed' ? `Recorded as not delivered by ${command.actor.name}.` : null,
      }),
    );
    if (attempt) await changeAttempt(tx, attempt.id, { phase: outcome, completed_at: at });
    const words = outcome === 'success' ? 'delivered' : 'not delivered';
    await recordChange(parts, tx, moved, {
      event: outcome === 'success' ? 'job_updated' : 'job_failed',
      kind: 'reconciled',
      text: `Recorded as ${words} by ${command.actor.name}: ${note}`,
      ...command,
    });
  });
}

/** The provider must show the fax under that id, sent to our number by the captured account, before it is attached. */
async function attach(parts: OutboundParts, command: Command, providerSid: string): Promise<void> {
  const { job } = await doubtful(parts.db.read, command);
  const report = await ask(parts, job, providerSid);
  if (report.direction === 'received' || (report.to !== null && report.to !== job.to_number))
    throw notInThisState('The provider has another fax under that id.');
  await parts.db.transaction(async (tx) => {
    const fax = await doubtful(tx, command);
    const { attempt } = fax;
    if (!attempt) throw notInThisState('Nothing was ever submitted for this fax.');
    try {
      await applyReport(parts, tx, { job: fax.job, attempt }, report, command.actor);
    } catch (error) {
      if (error instanceof ProviderIdMismatchError)
        throw notInThisState('That provider id belongs to another fax, or this one has another id already.');
      throw error;
    }
  });
}

async function ask(parts: OutboundParts, job: JobRow, providerSid: string): Promise<ProviderReport> {
  try {
    return await parts.transports
      .of(job.backend)
      .fetchReport(openRoute(parts.seal, job).account, providerSid);
  } catch (error) {
    throw providerRefusal(error);
  }
}

/** Asks the provider now. A fax without a provider id has nothing to ask about and stays as it is. */
export async function refresh(parts: OutboundParts, job: JobRow, actor: Actor): Promise<void> {
  const attempt = await newestAttempt(parts.db.read, job.id);
  if (!attempt || attempt.provider_sid === null) return;
  try {
    await pollOnce(parts, { job, attempt: { ...attempt, provider_sid: attempt.provider_sid } }, actor);
  } catch (error) {
    throw providerRefusal(error);
  }
}

function providerRefusal(error: unknown): unknown {
  if (error instanceof ProviderIdMismatchError)
    return notInThisState('The provider answered with another fax; nothing was changed.');
  if (!(error instanceof ProviderError)) return error;
  return new FaxRefusalError(error.certainty === 'refused' ? 409 : 503, error.publicMessage, {
    cause: error,
  });
}

async function current(db: ReadDb, { id, version }: Command): Promise<JobRow> {
  const job = await findJob(db, id);
  if (!job) throw noSuchFax();
  if (job.delivery_version !== version) throw stale();
  return job;
}

async function doubtful(db: ReadDb, command: Command): Promise<{ job: JobRow; attempt: AttemptRow | null }> {
  const job = await current(db, command);
  if (job.delivery_state !== 'reconciliation_required')
    throw notInThisState('Only a doubtful fax can be decided by a person.');
  return { job, attempt: (await newestAttempt(db, job.id)) ?? null };
}

async function orStale(moving: Promise<JobRow | null>): Promise<JobRow> {
  const moved = await moving;
  if (!moved) throw stale();
  return moved;
}
