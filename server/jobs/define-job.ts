import type { z } from 'zod';
import type { JobKind } from '../../shared/job-kinds.ts';
import type { WriteTx } from '../db/database.ts';

/** Settled result of a job. */
export type SettledResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly at: number; readonly reason: string };

/**
 * Result that a run requests. A run throws only for bugs; then the job is retried later. With `decide` the result is
 * determined in the transaction that gives the job back: code that makes the job due after that finds it free.
 */
export type JobResult =
  | SettledResult
  | { readonly kind: 'decide'; decide(tx: WriteTx): Promise<SettledResult> };

export const DONE: SettledResult = { kind: 'done' };

/** Order of the due jobs of a kind that has priorities; lower runs first. Those of the other kinds are all normal. */
export const PRIORITY = { urgent: 50, normal: 100, broadcast: 150 } as const;

export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

/** A kind of job, as the worker looks for its due ones. */
export interface DueKind {
  readonly kind: string;
  readonly hasPriorities?: true | undefined;
}

/** Returns the priorities that jobs of the kind may have, in the order in which they run. */
export function prioritiesOf({ hasPriorities }: Pick<DueKind, 'hasPriorities'>): Priority[] {
  return hasPriorities ? Object.values(PRIORITY) : [PRIORITY.normal];
}

export interface JobRun {
  /** Number of times that this job was claimed, this one included. */
  readonly attempt: number;
  /** Aborted when the gateway stops; a run may finish what it must not leave half done. */
  readonly signal: AbortSignal;
}

/**
 * A kind of background work. `lost` says what a worker that vanished in the middle means: `repeat` runs it again,
 * `hold` never does; then `onLost` records the fact in the transaction that removes the job.
 */
export interface JobDefinition<P = unknown> {
  readonly kind: JobKind;
  readonly schema: z.ZodType<P>;
  /** Maximum number of concurrent runs in one process. */
  readonly concurrency: number;
  readonly lost: 'repeat' | 'hold';
  /** Its jobs may be enqueued with a priority. The worker looks for each of them. */
  readonly hasPriorities?: true;
  /**
   * For work that waits between tries: a run is never planned further ahead than this, and comes earlier when the clock was
   * set back. Without it, a run comes at the time that was asked for. Milliseconds.
   */
  readonly maxWaitMs?: number;
  /** A run that comes early costs nothing: it is due when a gateway starts and when the clock was set back. */
  readonly mayComeEarly?: true;
  run(payload: P, run: JobRun): Promise<JobResult>;
  onLost?(tx: WriteTx, payload: P): Promise<void>;
}

export function defineJob<P>(definition: JobDefinition<P>): JobDefinition<P> {
  if (definition.lost === 'hold' && !definition.onLost)
    throw new Error(`the job ${definition.kind} is held when lost and must say how`);
  return definition;
}
