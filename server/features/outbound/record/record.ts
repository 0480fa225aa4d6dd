import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { SpendingGate } from '../../routing/service.ts';
import { isTerminal } from '../delivery-state.ts';
import type { AnswerListener, StateListener } from '../port.ts';
import { changeAttempt, findAttempt, insertAttempt, newestAttempt } from '../store/attempt-store.ts';
import { addHistory, hasHistory } from '../store/history-store.ts';
import { findJob, transitionJob, updateFacts } from '../store/job-store.ts';
import { attemptsOfCalls } from '../store/together-store.ts';
import { clearUnseen, markUnseen } from '../store/unseen-store.ts';
import type { Change } from '../transition/change.ts';
import type { AttemptedFax, Fact, Fax } from '../transition/fact.ts';
import { transition } from '../transition/transition.ts';
import { type Actor, type AttemptRow, type JobRow, PROVIDER } from '../types.ts';
import type { CallSettler } from './calls.ts';
import type { AttemptCosts } from './costs.ts';
import type { FaxNotifier } from './events.ts';
import type { SendingQueue } from './sending-queue.ts';
import { recordSpending } from './spending.ts';
import type { StepNames } from './step-names.ts';

/** Reads the fax with its newest attempt, inside this transaction or outside of one. */
export async function readFax(db: ReadDb, jobId: string): Promise<Fax | null> {
  const job = await findJob(db, jobId);
  return job ? { job, attempt: (await newestAttempt(db, jobId)) ?? null } : null;
}

/** The fax of an attempt. Null when there is none, or when the attempt is not its newest. */
export async function readFaxOf(db: ReadDb, attemptId: string): Promise<AttemptedFax | null> {
  const attempt = await findAttempt(db, attemptId);
  const fax = attempt ? await readFax(db, attempt.job_id) : null;
  return fax?.attempt?.id === attemptId ? { job: fax.job, attempt: fax.attempt } : null;
}

/** The faxes of a call whose newest attempt is in it, in the order of their pages. */
export async function readCall(db: ReadDb, callId: string): Promise<AttemptedFax[]> {
  const faxes: (AttemptedFax | null)[] = [];
  for (const { id } of await attemptsOfCalls(db, [callId])) faxes.push(await readFaxOf(db, id));
  return faxes.filter((fax) => fax !== null);
}

interface RecorderParts {
  readonly clock: Clock;
  readonly names: StepNames;
  readonly calls: CallSettler;
  readonly costs: AttemptCosts;
  readonly spending: SpendingGate;
  readonly queue: SendingQueue;
  readonly notifier: FaxNotifier;
  readonly states: StateListener;
  readonly answers: AnswerListener;
}

/** Records the changes of faxes. */
export interface Recorder {
  /**
   * Records the effects of a fact on a fax: state, attempt, history and queue in the caller's transaction; log, audit and
   * event once it is committed. Returns the updated fax; null when nothing changed, because the fact was late or another
   * change came first.
   */
  record(tx: WriteTx, fax: Fax, fact: Fact, by: Actor): Promise<Fax | null>;
}

export function createRecorder(parts: RecorderParts): Recorder {
  return { record: (tx, fax, fact, by) => record(parts, tx, { fax, fact, by }) };
}

async function record(
  parts: RecorderParts,
  tx: WriteTx,
  { fax, fact, by }: { readonly fax: Fax; readonly fact: Fact; readonly by: Actor },
): Promise<Fax | null> {
  const at = isoTime(parts.clock.now());
  const actor = by.id === PROVIDER.id ? { ...by, name: parts.names.providerOf(fax) } : by;
  const change = transition(fax, fact, at, parts.names.namesFor(fax, fact));
  const after = change && (await writeChange(tx, fax, change, { at, actor }));
  if (!after) return null;
  await parts.calls.settle(tx, fax, after);
  await parts.costs.record(tx, { before: fax, after, fact });
  await recordSpending(parts, tx, fax, after);
  await parts.queue.apply(tx, after, change.queue);
  await markUnseenFailure(tx, fax.job, after.job, actor);
  await notifyState(parts, tx, fax.job, after.job);
  const { event, history } = change;
  if (event !== null)
    parts.notifier.notifyChange(tx, after.job, { event, kind: history?.kind ?? fact.kind, actor });
  else if (after.job !== fax.job) parts.notifier.notifyVersion(tx, after.job);
  return after;
}

async function notifyState(
  { states, answers: answerListener }: Pick<RecorderParts, 'states' | 'answers'>,
  tx: WriteTx,
  before: JobRow,
  { id, delivery_state: state, delivery_version: version, ...job }: JobRow,
): Promise<void> {
  if (before.delivery_state === state) return;
  const fax = { isTest: job.test === 1, broadcastId: job.broadcast_id, error: job.held_reason ?? job.error };
  await states.changed(tx, { id, state, version, ...fax });
  const { answers } = job;
  if (answers !== null && isTerminal(state)) await answerListener.ended(tx, { id, answers, state });
}

/**
 * Marks a failed fax as unseen for its sender, unless they ended it themselves. Clears the mark when the fax turns out
 * to be delivered. A test fax is announced to nobody.
 */
async function markUnseenFailure(tx: WriteTx, before: JobRow, after: JobRow, actor: Actor): Promise<void> {
  if (before.delivery_state === after.delivery_state || after.test === 1) return;
  if (after.delivery_state === 'failed' && actor.id !== after.created_by) await markUnseen(tx, after);
  else if (before.delivery_state === 'failed') await clearUnseen(tx, after);
}

/** The rows of a change alone: for a store that no gateway serves, as after a restore. Null when it is stale. */
export async function writeChange(
  tx: WriteTx,
  fax: Fax,
  change: Change,
  by: { at: string; actor: Actor },
): Promise<Fax | null> {
  const job = await writeJob(tx, fax.job, change, by.at);
  if (!job) return null;
  const attempt = await writeAttempt(tx, fax.attempt, change);
  await writeHistory(tx, job, change, by);
  return { job, attempt };
}

async function writeJob(tx: WriteTx, before: JobRow, change: Change, at: string): Promise<JobRow | null> {
  const { moves, facts } = change;
  if (moves.length === 0)
    return Object.keys(facts).length === 0 ? before : updateFacts(tx, before, { ...facts, at });
  let job: JobRow | null = before;
  for (const [i, state] of moves.entries()) {
    const last = i === moves.length - 1;
    job = job && (await transitionJob(tx, job, state, last ? { ...facts, at } : { at }));
  }
  return job;
}

async function writeAttempt(
  tx: WriteTx,
  before: AttemptRow | null,
  { attempt: facts, begins }: Change,
): Promise<AttemptRow | null> {
  if (begins) await insertAttempt(tx, begins);
  if (begins) return begins;
  if (!before || !facts) return before;
  return changeAttempt(tx, before, facts);
}

async function writeHistory(
  tx: WriteTx,
  job: JobRow,
  { history }: Change,
  { at, actor }: { at: string; actor: Actor },
): Promise<void> {
  if (!history) return;
  const { kind, text, once } = history;
  if (once && (await hasHistory(tx, job.id, { kind, text }))) return;
  await addHistory(tx, job.id, { kind, text, occurred_at: at, actor: actor.name });
}
