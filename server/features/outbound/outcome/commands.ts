import type { z } from 'zod';
import type { Reconciliation } from '../../../../shared/api/outbound-shapes.ts';
import type { SendWhen } from '../../../../shared/send-when.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { assertSealing } from '../../../platform/seal.ts';
import type { Caller } from '../../access/service.ts';
import { FaxRefusalError, noSuchFax, otherProviderFax, stale } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep } from '../plan/plan.ts';
import { transportOf } from '../plan/transport-of.ts';
import { checkHours, checkSendBy, hoursWait } from '../queue/hours.ts';
import { checkSendAt, endOfWait, planDeadline, rescheduledText } from '../queue/send-later.ts';
import { type Recorder, readFax } from '../record/record.ts';
import { countReleased } from '../record/spending.ts';
import { endPlan } from '../store/attempt-store.ts';
import type { Fact, Fax } from '../transition/fact.ts';
import { transmittedPages } from '../transmitted-pages.ts';
import { TransportError, type TransportReport } from '../transport-port.ts';
import type { Actor, AttemptRow } from '../types.ts';
import { askAgain } from './ask-again.ts';
import { logCall } from './log-call.ts';
import type { Poller } from './poller.ts';
import { ProviderIdMismatchError, type ReportRecorder } from './report.ts';

interface Command {
  readonly id: string;
  readonly version: number;
  readonly actor: Actor;
}

/** New times of a scheduled fax. Undefined keeps the present value. */
interface NewTimes {
  readonly sendAt: string | null;
  readonly sendBy?: string | null | undefined;
  readonly sendWhen?: SendWhen | undefined;
}

/** Commands of people on sent faxes. Throws refusals; a 409 when the fax has another version by now. */
export interface Commands {
  /**
   * Releases a held fax for a person. Held faxes never leave automatically, and a fax held by a spending limit may be
   * released only by a person who may change limits: then no limit holds it again, and it counts.
   */
  release(command: Command, caller: Pick<Caller, 'holds'>): Promise<void>;
  /** Moves a scheduled fax to another time, or sends it now (null), as long as its time has not come. */
  schedule(command: Command, times: NewTimes): Promise<void>;
  /** Cancels a fax before its submission. A submitted one is stopped, or refused when its transport cannot stop it. */
  cancel(command: Command): Promise<void>;
  /** Records a decision about a fax that needs confirmation, or attaches the provider fax that it became. Sends nothing. */
  reconcile(command: Command, decision: z.infer<typeof Reconciliation>): Promise<void>;
  /** Queries the provider now. A fax without a provider ID cannot be queried and stays unchanged. */
  refresh(jobId: string, actor: Actor): Promise<void>;
}

export function createCommands(
  parts: Pick<
    OutboundParts,
    'db' | 'clock' | 'queue' | 'seal' | 'transports' | 'settings' | 'spending' | 'calls' | 'contacts'
  > & {
    readonly recorder: Recorder;
    readonly reports: ReportRecorder;
    readonly poller: Poller;
  },
): Commands {
  return {
    release: (command, caller) => release(parts, command, caller),
    schedule: (command, times) => schedule(parts, command, times),
    cancel: (command) => cancel(parts, command),
    reconcile: (command, decision) => reconcile(parts, command, decision),
    refresh: (jobId, actor) => refresh(parts, jobId, actor),
  };
}

async function release(
  parts: Pick<OutboundParts, 'db' | 'seal' | 'settings' | 'spending'> & { readonly recorder: Recorder },
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

async function schedule(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'queue' | 'settings' | 'contacts'> & {
    readonly recorder: Recorder;
  },
  command: Command,
  { sendAt, sendBy, sendWhen }: NewTimes,
): Promise<void> {
  const { clock, settings } = parts;
  checkSendAt(sendAt, clock.now());
  if (sendAt === null && settings.sendingDisabled()) throw new FaxRefusalError('sending_is_off');
  await parts.db.transaction(async (tx) => {
    const fax = await loadCurrent(tx, command);
    if (fax.job.delivery_state !== 'ready' || endOfWait(fax.job, clock.now()) === null)
      throw new FaxRefusalError('not_scheduled');
    const { job } = fax;
    const requested = {
      send_at: sendAt,
      send_by: sendBy === undefined ? job.send_by : sendBy,
      send_when: sendWhen ?? (sendAt === null ? 'now' : job.send_when),
    };
    const wait = await hoursWait(parts, tx, { ...job, ...requested }, clock.now());
    checkSendBy(requested, clock.now());
    checkSendAt(requested.send_by, clock.now());
    checkHours(parts, requested, wait);
    const times = { ...requested, ...wait };
    const text = rescheduledText(parts, sendAt, wait);
    await recordFact(parts, tx, fax, { kind: 'rescheduled', times, text }, command);
    await planDeadline(parts, tx, { id: job.id, send_by: requested.send_by });
  });
}

async function cancel(
  parts: Pick<OutboundParts, 'db' | 'seal' | 'transports' | 'calls'> & {
    readonly recorder: Recorder;
    readonly poller: Poller;
  },
  command: Command,
): Promise<void> {
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
  if (attempt?.provider_sid)
    await parts.poller.removeEnded({ job, attempt, reference: attempt.provider_sid });
}

const tooLate = () => new FaxRefusalError('too_late_to_cancel');

/**
 * Stops the fax at its transport and returns the latest report. Throws a 409 refusal when the transport cannot stop the
 * fax any more, or never could.
 */
async function stopAtTransport(
  parts: Pick<OutboundParts, 'db' | 'seal' | 'transports'>,
  { job, attempt }: Fax,
) {
  // Stopping it would stop the other faxes of its call.
  if (!attempt?.provider_sid || attempt.call_first_page !== null) throw tooLate();
  const { account, transport, traits } = openStep(parts.seal, job, attempt.step);
  if (!traits.stops) throw tooLate();
  // The transport may report the end before this request returns: this prevents the next route from being tried.
  await parts.db.transaction((tx) => endPlan(tx, attempt.id));
  try {
    const report = await transportOf(parts, [job], transport).stop?.(
      account.credentials,
      attempt.provider_sid,
    );
    if (!report) throw tooLate();
    return { fax: { job, attempt }, report };
  } catch (error) {
    throw transportRefusal(error);
  }
}

async function reconcile(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'settings'> & {
    readonly recorder: Recorder;
    readonly reports: ReportRecorder;
    readonly poller: Poller;
  },
  command: Command,
  decision: z.infer<typeof Reconciliation>,
): Promise<void> {
  if ('provider_sid' in decision) await attach(parts, command, decision.provider_sid);
  else await recordAnswer(parts, command, decision);
}

type Answer = Exclude<z.infer<typeof Reconciliation>, { provider_sid: string }>;

async function recordAnswer(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'settings'> & { readonly recorder: Recorder },
  command: Command,
  answer: Answer,
): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const fax = await loadUnconfirmed(tx, command);
    await recordFact(parts, tx, fax, answerFact(parts, fax, answer, command.actor.name), command);
  });
}

/** Returns the fact of an answer. Throws a 400 refusal for a page count that does not fit the outcome or the document. */
function answerFact(
  parts: Pick<OutboundParts, 'clock' | 'settings'>,
  { job, attempt }: Fax,
  answer: Answer,
  by: string,
): Fact {
  if (answer.outcome === 'not_reached') {
    const { note = null, ask_again_at: at = null } = answer;
    return { kind: 'not_reached', ...askAgain(parts, { by, note, at }) };
  }
  const { outcome, note, pages_arrived: pagesArrived = null } = answer;
  if (pagesArrived !== null && (outcome === 'success' || pagesArrived >= transmittedPages(job, attempt)))
    throw new FaxRefusalError('wrong_page_count');
  return { kind: 'decided', outcome, note, pagesArrived, by };
}

/** Attaches a provider ID after the provider reported the fax under it as sent to the same number by the captured account. */
async function attach(
  parts: Pick<OutboundParts, 'db'> & { readonly reports: ReportRecorder; readonly poller: Poller },
  command: Command,
  providerSid: string,
): Promise<void> {
  const { job, attempt } = await loadUnconfirmed(parts.db.read, command);
  if (!attempt) throw new FaxRefusalError('never_submitted');
  const report = await queryProvider(parts, { job, attempt }, providerSid);
  if (report.direction === 'received' || (report.to !== null && report.to !== job.to_number))
    throw otherProviderFax('That ID belongs to a different fax at the provider.');
  await parts.db.transaction(async (tx) => {
    const fax = await loadUnconfirmed(tx, command);
    if (fax.attempt?.id !== attempt.id) throw stale();
    try {
      await parts.reports.recordReport(tx, { job: fax.job, attempt: fax.attempt }, report, command.actor);
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
  parts: { readonly poller: Poller },
  fax: Fax & { attempt: AttemptRow },
  providerSid: string,
): Promise<TransportReport> {
  try {
    return await parts.poller.queryTransport(fax, providerSid);
  } catch (error) {
    throw transportRefusal(error);
  }
}

async function refresh(
  parts: Pick<OutboundParts, 'db'> & { readonly poller: Poller },
  jobId: string,
  actor: Actor,
): Promise<void> {
  const fax = await readFax(parts.db.read, jobId);
  if (!fax?.attempt || fax.attempt.provider_sid === null) return;
  const { job, attempt } = fax;
  try {
    await parts.poller.pollOnce({ job, attempt, reference: fax.attempt.provider_sid }, actor);
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
  parts: { readonly recorder: Recorder },
  tx: WriteTx,
  fax: Fax,
  fact: Fact,
  by: Command,
): Promise<void> {
  if (!(await parts.recorder.record(tx, fax, fact, by.actor))) throw stale();
}
