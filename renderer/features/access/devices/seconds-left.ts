import { useEffect, useState } from 'react';

const MAX_SECONDS = 5 * 60;

/** Whole seconds until `end`; a clock here that is wrong does not shorten or lengthen a code that was made just now. */
export function useSecondsLeft(end: string): number {
  const [over] = useState(() => {
    const left = (Date.parse(end) - Date.now()) / 1_000;
    const told = left > 0 && left <= MAX_SECONDS ? left : MAX_SECONDS;
    return performance.now() + told * 1_000;
  });
  const [now, setNow] = useState(() => performance.now());
  const left = Math.max(0, Math.ceil((over - now) / 1_000));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, [isOver]);
  return left;
}
