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

/** Order of the due jobs of one kind; lower runs first. Jobs with another value are not found by the worker. */
export const PRIORITY = { urgent: 50, normal: 100, broadcast: 150 } as const;

export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

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
