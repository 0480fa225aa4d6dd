import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { planSending, withdrawSending } from '../accept/send-later.ts';
import { pollJob, pollOf } from '../dispatch/queued.ts';
import { announceChange, announceVersion } from '../events.ts';
import type { OutboundParts } from '../parts.ts';
import { changeAttempt, findAttempt, insertAttempt, newestAttempt } from '../store/attempt-store.ts';
import { addHistory, hasHistory } from '../store/history-store.ts';
import { findJob, moveJob, noteFacts } from '../store/job-store.ts';
import type { Actor, AttemptRow, JobRow } from '../types.ts';
import type { Change } from './change.ts';
import type { Fact, Fax } from './fact.ts';
import { transition } from './transition.ts';

/** The fax with its newest attempt, as it stands in this transaction or outside of one. */
export async function readFax(db: ReadDb, jobId: string): Promise<Fax | null> {
  const job = await findJob(db, jobId);
  return job ? { job, attempt: (await newestAttempt(db, jobId)) ?? null } : null;
}

/** The fax of an attempt. Null when there is none, or when the attempt is not its newest. */
export async function readFaxOf(
  db: ReadDb,
  attemptId: string,
): Promise<(Fax & { attempt: AttemptRow }) | null> {
  const attempt = await findAttempt(db, attemptId);
  const fax = attempt ? await readFax(db, attempt.job_id) : null;
  return fax?.attempt?.id === attemptId ? { job: fax.job, attempt: fax.attempt } : null;
}

/**
 * Records what a fact does to a fax: state, attempt, history and queue in the caller's transaction; log, audit and
 * announcement once it is committed. Returns the fax as it is now; null when nothing was changed, because the fact came
 * late or somebody else was faster.
 */
export async function record(
  parts: OutboundParts,
  tx: WriteTx,
  fax: Fax,
  fact: Fact,
  actor: Actor,
): Promise<Fax | null> {
  const at = isoTime(parts.clock.now());
  const change = transition(fax, fact, at);
  const after = change && (await writeChange(tx, fax, change, { at, actor }));
  if (!after) return null;
  await writeQueue(parts, tx, after, change);
  const { event, history } = change;
  if (event !== null)
    announceChange(parts, tx, after.job, { event, kind: history?.kind ?? fact.kind, actor });
  else if (after.job !== fax.job) announceVersion(parts, tx, after.job);
  return after;
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
    return Object.keys(facts).length === 0 ? before : noteFacts(tx, before, { ...facts, at });
  let job: JobRow | null = before;
  for (const [i, state] of moves.entries()) {
    const last = i === moves.length - 1;
    job = job && (await moveJob(tx, job, state, last ? { ...facts, at } : { at }));
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

async function writeQueue(
  parts: OutboundParts,
  tx: WriteTx,
  { job, attempt }: Fax,
  { queue }: Change,
): Promise<void> {
  switch (queue) {
    case 'dispatch':
      return planSending(parts, tx, job, attempt);
    case 'withdraw':
      return withdrawSending(parts, tx, job, attempt);
    case 'poll':
      if (attempt) await parts.queue.enqueue(tx, pollJob, pollOf(attempt.id, parts.clock.now()));
      return;
    case null:
      return;
    default:
      queue satisfies never;
  }
}
