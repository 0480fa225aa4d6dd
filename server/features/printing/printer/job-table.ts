import type { Clock } from '../../../platform/clock.ts';
import { JOB_STATE } from '../../../platform/ipp/codes.ts';
import type { IppAttribute } from '../../../platform/ipp/message.ts';

type JobState = (typeof JOB_STATE)[keyof typeof JOB_STATE];

/** A job as computers see it: its document is stored and waits in Faxdesk once it is completed. */
export interface Printout {
  readonly number: number;
  readonly name: string;
  /** ID of the person who printed it with a password; null on this computer. */
  readonly ownerId: string | null;
  /** Account that printed it, without proof; null where the computer reported none. */
  readonly user: string | null;
  /** Recipient that the program gave, as a person would type it; null for none. */
  readonly to: string | null;
  /** True for a job of the printer that takes recipients. */
  readonly isFaxOut: boolean;
  /** Attributes of its template, as they were requested. */
  readonly template: readonly IppAttribute[];
  readonly pageRanges: readonly { readonly lower: number; readonly upper: number }[] | null;
  readonly createdAt: number;
  processingAt: number | null;
  completedAt: number | null;
  state: JobState;
  /** Keyword of the reason for the state. */
  reason: string;
  /** Sentence about the state. */
  message: string;
  pages: number | null;
  sizeBytes: number;
}

/** A job as it is created. */
type NewPrintout = Pick<
  Printout,
  'number' | 'name' | 'ownerId' | 'user' | 'to' | 'isFaxOut' | 'template' | 'pageRanges'
>;

/** Jobs that wait for their document. */
const MAX_OPEN = 50;
/** Jobs that ended, which computers may still ask about. */
const MAX_ENDED = 200;
/** A job without a document is given up after that time. */
export const OPEN_SECONDS = 120;

/** Creates the table of the jobs since the start, in memory: what is acknowledged is in the store of printed documents. */
export function createJobTable(clock: Clock): JobTable {
  return new JobTable(clock);
}

export type { JobTable };

class JobTable {
  readonly #clock: Clock;
  readonly #jobs = new Map<number, Printout>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True when no other job can wait for its document. */
  get isFull(): boolean {
    this.expire();
    return this.open().length >= MAX_OPEN;
  }

  add(given: NewPrintout): Printout {
    const job: Printout = {
      ...given,
      createdAt: this.#clock.now(),
      processingAt: null,
      completedAt: null,
      state: JOB_STATE.pending,
      reason: 'job-incoming',
      message: 'Waiting for the document.',
      pages: null,
      sizeBytes: 0,
    };
    this.#jobs.set(job.number, job);
    return job;
  }

  find(number: number): Printout | undefined {
    this.expire();
    return this.#jobs.get(number);
  }

  /** Jobs that have not ended, oldest first. */
  open(): Printout[] {
    return [...this.#jobs.values()].filter(({ completedAt }) => completedAt === null);
  }

  /** Jobs that ended, newest first. */
  ended(): Printout[] {
    return [...this.#jobs.values()].filter(({ completedAt }) => completedAt !== null).toReversed();
  }

  begin(job: Printout): void {
    job.state = JOB_STATE.processing;
    job.reason = 'job-printing';
    job.message = 'Faxdesk is receiving the document.';
    job.processingAt = this.#clock.now();
  }

  end(job: Printout, end: Pick<Printout, 'state' | 'reason' | 'message'>): void {
    if (job.completedAt !== null) return;
    Object.assign(job, end, { completedAt: this.#clock.now() });
    for (const { number } of this.ended().slice(MAX_ENDED)) this.#jobs.delete(number);
  }

  /** Gives up jobs whose document does not come. */
  expire(): void {
    const before = this.#clock.now() - OPEN_SECONDS * 1_000;
    for (const job of this.open())
      if (job.state === JOB_STATE.pending && job.createdAt < before)
        this.end(job, {
          state: JOB_STATE.aborted,
          reason: 'aborted-by-system',
          message: 'The document did not come.',
        });
  }
}
