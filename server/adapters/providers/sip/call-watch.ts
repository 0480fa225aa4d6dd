import type { Timers } from '../../../platform/timers.ts';

/** A page takes half a minute, and who looks at it wants to see it move. */
const QUERY_INTERVAL_MS = 4_000;

/** The calls that go on. */
export interface CallWatch {
  /** Schedules another query, a few seconds from now, of a call that is still in progress. */
  scheduleQuery(attemptId: string): void;
  end(attemptId: string): void;
  close(): void;
}

/** Calls `onProviderEvent` for a call when it is time to query it. */
export function createCallWatch(timers: Timers, onProviderEvent: (attemptId: string) => void): CallWatch {
  const waits = new Map<string, () => void>();
  let isClosed = false;

  function end(attemptId: string): void {
    waits.get(attemptId)?.();
    waits.delete(attemptId);
  }

  return {
    scheduleQuery(attemptId) {
      end(attemptId);
      if (isClosed) return;
      const endWait = timers.after(QUERY_INTERVAL_MS, () => {
        waits.delete(attemptId);
        onProviderEvent(attemptId);
      });
      waits.set(attemptId, endWait);
    },
    end,
    close() {
      isClosed = true;
      for (const attemptId of waits.keys()) end(attemptId);
    },
  };
}
