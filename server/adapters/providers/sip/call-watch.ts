import type { Timers } from '../../../platform/ami/timers.ts';

/** A page takes half a minute, and who looks at it wants to see it move. */
const APART_MS = 4_000;

/** The calls that go on. */
export interface CallWatch {
  /** Schedules another query, a few seconds from now, of a call that is still in progress. */
  again(attemptId: string): void;
  end(attemptId: string): void;
  close(): void;
}

/** `onNews` has a call asked about. */
export function createCallWatch(timers: Timers, onNews: (attemptId: string) => void): CallWatch {
  const waits = new Map<string, () => void>();
  let isClosed = false;

  function end(attemptId: string): void {
    waits.get(attemptId)?.();
    waits.delete(attemptId);
  }

  return {
    again(attemptId) {
      end(attemptId);
      if (isClosed) return;
      const endWait = timers.after(APART_MS, () => {
        waits.delete(attemptId);
        onNews(attemptId);
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
