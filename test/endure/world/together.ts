/**
 * What runs beside something else. A failure of one waits until somebody asks for the end of all of them.
 */
export function together(running: readonly Promise<unknown>[]): () => Promise<void> {
  const ended = Promise.allSettled(running);
  return async () => {
    for (const outcome of await ended) if (outcome.status === 'rejected') throw outcome.reason;
  };
}
