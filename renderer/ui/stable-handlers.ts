import { useLayoutEffect, useRef } from 'react';

type Handler = (...args: readonly unknown[]) => unknown;

/**
 * Returns the props with handlers that stay the same while they call the latest ones, so that a memoized component is
 * rendered again only for what it shows. Drawing a button costs the time of many rows.
 */
export function useStableHandlers<P extends object>(props: P): P {
  const latest = useRef<P>(props);
  const stable = useRef(new Map<string, Handler>());
  useLayoutEffect(() => {
    latest.current = props;
  });
  const entries = Object.entries(props).map(([name, value]: [string, unknown]) => {
    if (!name.startsWith('on') || typeof value !== 'function') return [name, value];
    const known = stable.current.get(name) ?? callLatest(latest, name);
    stable.current.set(name, known);
    return [name, known];
  });
  return Object.fromEntries(entries) as P;
}

function callLatest(latest: { readonly current: object }, name: string): Handler {
  return (...args) => (latest.current as Readonly<Record<string, Handler | undefined>>)[name]?.(...args);
}
