import { Database } from '../../server/db/database.ts';

/** Calls `step` before and after every commit of this process from now on. */
export function stepAtCommits(step: () => void): void {
  const { transaction } = Database.prototype;
  Database.prototype.transaction = async function <T>(this: Database, work: (tx: never) => Promise<T>) {
    const result = await transaction.call(this, async (tx) => {
      const inner = await work(tx as never);
      step();
      return inner;
    });
    step();
    return result as T;
  };
}

/** Returns the largest memory of this process in bytes: what the system reports for a child may be that of its parent. */
export const peakBytes = (status: string): number => Number(/^VmHWM:\s+(\d+)/mu.exec(status)?.[1]) * 1024;
