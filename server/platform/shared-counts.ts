/** Counts of requests over all gateways on a database. */
export interface SharedCounts {
  /**
   * Counts a request of `name` unless `perMinute` were counted in the last 60 seconds. Returns null where the counts cannot
   * be had.
   */
  count(name: string, perMinute: number): Promise<SharedCount | null>;
}

/** Requests that are left, and the seconds until the oldest counted one counts no more. */
export interface SharedCount {
  readonly isAdmitted: boolean;
  readonly remaining: number;
  readonly seconds: number;
}
