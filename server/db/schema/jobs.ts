export interface JobTable {
  id: string;
  kind: string;
  /** Two jobs with one key collide: a scheduled slot, or the poll of one attempt. */
  key: string | null;
  /** JSON: ids only. */
  payload: string;
  /** Lower runs first among those that are due. */
  priority: number;
  /** Epoch milliseconds. */
  run_at: number;
  attempts: number;
  locked_by: string | null;
  /** Epoch milliseconds. */
  locked_until: number | null;
  last_error: string | null;
}

export interface JobsTables {
  job: JobTable;
}
