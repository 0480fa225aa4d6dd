import type { JobResult } from './define-job.ts';
import type { JobRow } from './job-store.ts';

/** Keeps the results of this worker's jobs that could not be recorded: the store was full, read-only, or away. */
export function createUnrecorded(): Unrecorded {
  return new Unrecorded();
}

class Unrecorded {
  readonly #ended = new Map<string, { readonly row: JobRow; readonly result: JobResult }>();

  add(row: JobRow, result: JobResult): void {
    this.#ended.set(row.id, { row, result });
  }

  /** Records the remaining results, one after another, as far as that can be done now. Returns the number of recorded ones. */
  async record(settle: (row: JobRow, result: JobResult) => Promise<void>): Promise<number> {
    let recorded = 0;
    for (const [id, { row, result }] of this.#ended) {
      const isRecorded = await settle(row, result).then(
        () => true,
        () => false,
      );
      if (!isRecorded) break;
      this.#ended.delete(id);
      recorded += 1;
    }
    return recorded;
  }
}
