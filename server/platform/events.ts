/** Typed events within the process. A listener that throws is reported and never affects the publisher. */
export interface EventBus<Events extends object> {
  publish<K extends keyof Events>(name: K, facts: Events[K]): void;
  on<K extends keyof Events>(name: K, listener: (facts: Events[K]) => void): () => void;
}

export function createEventBus<Events extends object>(
  onListenerError: (error: unknown) => void,
): EventBus<Events> {
  const listeners = new Map<keyof Events, Set<(facts: never) => void>>();
  return {
    publish(name, facts) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          (listener as (value: typeof facts) => void)(facts);
        } catch (error) {
          onListenerError(error);
        }
      }
    },
    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => set.delete(listener);
    },
  };
}
