import type { z } from 'zod';
import type { Reconciliation } from '../../../../shared/api/outbound-shapes.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { assertSealing } from '../../../platform/seal.ts';
import type { Caller } from '../../access/service.ts';
import { FaxRefusalError, noSuchFax, otherProviderFax, stale } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep } from '../plan/plan.ts';
import { checkSendAt, endOfWait, rescheduledText } from '../queue/send-later.ts';
import { readFax, record } from '../record/record.ts';
import { countReleased } from '../record/spending.ts';
import { endPlan } from '../store/attempt-store.ts';
import type { Fact, Fax } from '../transition/fact.ts';
import { TransportError, type TransportReport } from '../transport-port.ts';
import type { Actor, AttemptRow } from '../types.ts';
import { logCall } from './log-call.ts';
import { pollOnce, queryTransport, removeEnded } from './poll.ts';
import { ProviderIdMismatchError, recordReport } from './report.ts';

interface Command {
  readonly id: string;
  readonly version: number;
  readonly actor: Actor;
}

/**
 * Releases a held fax for a person. Held faxes never leave automatically, and a fax held by a spending limit may be
 * released only by a person who may change limits: then no limit holds it again, and it counts.
 */
export async function release(
  parts: OutboundParts,
  command: Command,
  caller: Pick<Caller, 'holds'>,
): Promise<void> {
  assertSealing(parts.seal);
  if (parts.settings.sendingDisabled()) throw new FaxRefusalError('sending_is_off');
  await parts.db.transaction(async (tx) => {
    const fax = await loadCurrent(tx, command);
    if (fax.job.delivery_state !== 'held') throw new FaxRefusalError('not_held');
    const isOverLimit = fax.job.held_reason !== null;
    if (isOverLimit && !caller.holds('routing:manage')) throw new FaxRefusalError('over_spending_limit');
    await recordFact(parts, tx, fax, { kind: 'released' }, command);
    if (isOverLimit) await countReleased(parts, tx, fax);
  });
}

/** Moves a scheduled fax to another time, or sends it now (null), as long as its time has not come. */
export async function schedule(parts: OutboundParts, command: Command, sendAt: string | null): Promise<void> {
  const { clock, settings } = parts;
  checkSendAt(sendAt, clock.now());
  if (sendAt === null && settings.sendingDisabled()) throw new FaxRefusalError('sending_is_off');
  await parts.db.transaction(async (tx) => {
    const fax = await loadCurrent(tx, command);
    if (fax.job.delivery_state !== 'ready' || endOfWait(fax.job, clock.now()) === null)
      throw new FaxRefusalError('not_scheduled');
    const text = rescheduledText(parts, sendAt);
    await recordFact(parts, tx, fax, { kind: 'rescheduled', sendAt, text }, command);
  });
}

/** Withdraws a fax that was not handed over yet; one that was is stopped where its transport can. */
export async function cancel(parts: OutboundParts, command: Command): Promise<void> {
  const before = await loadCurrent(parts.db.read, command);
  const stopped = before.job.delivery_state === 'in_progress' ? await stopAtTransport(parts, before) : null;
  await parts.db.transaction(async (tx) => {
    const fax = await loadCurrent(tx, command);
    switch (fax.job.delivery_state) {
      case 'held':
      case 'ready':
        return recordFact(parts, tx, fax, { kind: 'cancelled' }, command);
      case 'in_progress':
        if (stopped) await logCall(parts, tx, [stopped.fax], { ...stopped, isCanceled: true });
        return recordFact(parts, tx, fax, { kind: 'stopped', by: command.actor.name }, command);
      default:
        throw tooLate();
    }
  });
  const { job, attempt } = before;
  if (attempt?.provider_sid) await removeEnded(parts, { job, attempt, reference: attempt.provider_sid });
}

const tooLate = () => new FaxRefusalError('too_late_to_cancel');

/**
 * Stops the fax at its transport and returns the latest report. Throws a 409 refusal when the transport cannot stop the
 * fax any more, or never could.
 */
async function stopAtTransport(parts: OutboundParts, { job, attempt }: Fax) {
  // Stopping it would stop the others of its call.
  if (!attempt?.provider_sid || attempt.call_first_page !== null) throw tooLate();
  const { account, transport, traits } = openStep(parts.seal, job, attempt.step);
  if (!traits.stops) throw tooLate();
  // The transport may report the end before this request returns: this prevents the next route from being tried.
  await parts.db.transaction((tx) => endPlan(tx, attempt.id));
  try {
    const report = await parts.transports.of(transport).stop?.(account.credentials, attempt.provider_sid);
    if (!report) throw tooLate();
    return { fax: { job, attempt }, report };
  } catch (error) {
    throw transportRefusal(error);
  }
}

/** A person decides about a fax that needs confirmation, or names the provider fax that it became. Nothing is ever sent here. */
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
    const fax = await loadUnconfirmed(tx, command);
    await recordFact(parts, tx, fax, { kind: 'decided', outcome, note, by: command.actor.name }, command);
  });
}

/** Attaches a provider ID, once the provider shows the fax under it, sent to our number by the captured account. */
async function attach(parts: OutboundParts, command: Command, providerSid: string): Promise<void> {
  const { job, attempt } = await loadUnconfirmed(parts.db.read, command);
  if (!attempt) throw new FaxRefusalError('never_submitted');
  const report = await queryProvider(parts, { job, attempt }, providerSid);
  if (report.direction === 'received' || (report.to !== null && report.to !== job.to_number))
    throw otherProviderFax('That ID belongs to a different fax at the provider.');
  await parts.db.transaction(async (tx) => {
    const fax = await loadUnconfirmed(tx, command);
    if (fax.attempt?.id !== attempt.id) throw stale();
    try {
      await recordReport(parts, tx, { job: fax.job, attempt: fax.attempt }, report, command.actor);
    } catch (error) {
      if (error instanceof ProviderIdMismatchError)
        throw otherProviderFax(
          'That provider ID belongs to another fax, or this fax already has a different one.',
        );
      throw error;
    }
  });
}

async function queryProvider(
  parts: OutboundParts,
  fax: Fax & { attempt: AttemptRow },
  providerSid: string,
): Promise<TransportReport> {
  try {
    return await queryTransport(parts, fax, providerSid);
  } catch (error) {
    throw transportRefusal(error);
  }
}

/** Queries the provider now. A fax without a provider ID cannot be queried and stays unchanged. */
export async function refresh(parts: OutboundParts, jobId: string, actor: Actor): Promise<void> {
  const fax = await readFax(parts.db.read, jobId);
  if (!fax?.attempt || fax.attempt.provider_sid === null) return;
  const { job, attempt } = fax;
  try {
    await pollOnce(parts, { job, attempt, reference: fax.attempt.provider_sid }, actor);
  } catch (error) {
    throw transportRefusal(error);
  }
}

function transportRefusal(error: unknown): unknown {
  if (error instanceof ProviderIdMismatchError)
    return otherProviderFax('The provider answered with a different fax. Nothing was changed.');
  if (!(error instanceof TransportError)) return error;
  const code = error.certainty === 'not_accepted' ? 'provider_refused' : 'provider_unavailable';
  return new FaxRefusalError(code, { sentence: error.publicMessage, cause: error });
}

async function loadCurrent(db: ReadDb, { id, version }: Command): Promise<Fax> {
  const fax = await readFax(db, id);
  if (!fax) throw noSuchFax();
  if (fax.job.delivery_version !== version) throw stale();
  return fax;
}

async function loadUnconfirmed(db: ReadDb, command: Command): Promise<Fax> {
  const fax = await loadCurrent(db, command);
  if (fax.job.delivery_state !== 'reconciliation_required')
    throw new FaxRefusalError('no_confirmation_needed');
  return fax;
}

/** Records a person's action. Throws a 409 refusal when another change came first. */
async function recordFact(
  parts: OutboundParts,
  tx: WriteTx,
  fax: Fax,
  fact: Fact,
  by: Command,
): Promise<void> {
  if (!(await record(parts, tx, fax, fact, by.actor))) throw stale();
}
