/** Runs promises in the background. A failure is thrown by the returned function, which waits for all of them. */
export function runInBackground(running: readonly Promise<unknown>[]): () => Promise<void> {
  const ended = Promise.allSettled(running);
  return async () => {
    for (const outcome of await ended) if (outcome.status === 'rejected') throw outcome.reason;
  };
}
