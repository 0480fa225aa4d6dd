/** Work that is done beside other work, but for what has the same key. */
export interface KeyedQueue {
  /** `work` rejects never. */
  run(key: string, work: () => Promise<void>): void;
  /** Resolves when all of it is done. */
  settled(): Promise<void>;
}

/** Runs work of one key in its order and that of several keys at once, `maxRunning` at a time. */
export function createKeyedQueue(maxRunning: number): KeyedQueue {
  const tails = new Map<string, Promise<void>>();
  const queue: (() => void)[] = [];
  let running = 0;
  const inTurn = async (work: () => Promise<void>) => {
    if (running === maxRunning) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
  return {
    run(key, work) {
      tails.set(
        key,
        (tails.get(key) ?? Promise.resolve()).then(() => inTurn(work)),
      );
    },
    async settled() {
      await Promise.all(tails.values());
    },
  };
}
