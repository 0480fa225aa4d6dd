import { setTimeout } from 'node:timers/promises';

/** Maximum wait of a question for the upload that it is about, in ms. */
const MAX_WAIT_MS = 15_000;

/** Uploads of verified partners that arrive at this gateway now, by message id. */
export interface UnderWay {
  /** Counts an upload until its work has ended. */
  during<T>(messageId: string, work: () => Promise<T>): Promise<T>;
  /** Waits for the uploads of an id. Returns false when one goes on for longer. */
  waitFor(messageId: string): Promise<boolean>;
}

export function createUnderWay(): UnderWay {
  const uploads = new Map<string, Set<Promise<unknown>>>();
  return {
    async during(messageId, work) {
      const same = uploads.get(messageId) ?? new Set();
      uploads.set(messageId, same);
      const upload = work();
      const settled = upload.catch(() => undefined);
      same.add(settled);
      try {
        return await upload;
      } finally {
        same.delete(settled);
        if (same.size === 0 && uploads.get(messageId) === same) uploads.delete(messageId);
      }
    },
    async waitFor(messageId) {
      const same = uploads.get(messageId);
      if (!same) return true;
      const waiting = new AbortController();
      const tooLong = setTimeout(MAX_WAIT_MS, false, { signal: waiting.signal }).catch(() => false);
      const ended = Promise.all(same).then(() => true);
      try {
        return await Promise.race([ended, tooLong]);
      } finally {
        waiting.abort();
      }
    },
  };
}
