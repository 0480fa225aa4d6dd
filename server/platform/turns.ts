/** Runs work after all work before it has ended, however that ended. Resolves or rejects as the work does. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates turns of their own: of the work that it is given, one runs at a time, in the order of the calls. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
