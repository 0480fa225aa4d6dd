import type { JobFailure } from '../document-error.ts';
import type { DocumentJobs, JobName, PreviewPage, TimeAllowance } from '../jobs.ts';

// Messages between the gateway and the process of documents.

/** Settings that the process gets at its start. */
export interface ProcessSettings {
  /** At most. */
  threads: number;
  /** Maximum memory of one thread's PDFium. */
  engineMemoryBytes: number;
  /** Maximum growth of the process above its size before the jobs. */
  memoryLimitBytes: number;
}

/** A job on its way to the process. */
export interface SentJob<N extends JobName = JobName> {
  /** Its own number, by which it is answered. */
  id: number;
  name: N;
  task: DocumentJobs[N]['task'];
  allowance: TimeAllowance;
  /** On whose account it waits: callers take turns. */
  caller: string;
  /** True when its pages are reported one by one. */
  wantsPages: boolean;
  /** True when its caller may cancel it. */
  mayBeGivenUp: boolean;
}

export type ToProcess =
  | { kind: 'start'; settings: ProcessSettings }
  | { kind: 'run'; jobs: SentJob[] }
  | { kind: 'give up'; id: number };

export type JobAnswer<T> = { result: T } | JobFailure;

/** A page that is done, or the end of a job. */
export type JobUpdate = { id: number; page: PreviewPage } | { id: number; answer: JobAnswer<unknown> };

export type FromProcess =
  /** It works. `permissionModel`: whether Node holds it to its files. */
  | { kind: 'ready'; permissionModel: boolean }
  /** These jobs go to a thread now: should the process die, one of them may be why. */
  | { kind: 'begun'; ids: number[] }
  | { kind: 'news'; update: JobUpdate[] };
