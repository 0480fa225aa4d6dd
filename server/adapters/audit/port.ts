/** One thing that happened, with ids and plain facts only: never content, never a person's data. */
export interface AuditEvent {
  /** ISO 8601 UTC. */
  at: string;
  event: 'job_created' | 'job_dispatch' | 'job_updated' | 'job_failed' | 'pdf_served';
  request_id: string | null;
  job_id: string | null;
  [metadata: string]: string | number | boolean | null;
}

/** Destination of audit events. Writing never throws and never waits; a sink reports its problems itself. */
export interface AuditSink {
  write(event: AuditEvent): void;
  /**
   * Returns the reason why events wait, as one sentence for a person; null while they do not, or where a sink cannot
   * detect it.
   */
  problem(): string | null;
  /** Delivers what is still held, as far as that is possible, and lets go of files and sockets. */
  close(): Promise<void>;
}

/** Told when events could not be written (they are kept and tried again) or were lost (the message says how many). */
export type AuditProblem = (error: Error) => void;
