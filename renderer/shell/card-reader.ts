import { useEffect, useRef } from 'react';

/** Maximum time between two keys of a reader, in milliseconds: it types faster than any person. */
const GAP_MS = 50;
const LEAST = 4;

/** Runs `onCard` with the number of a card whose reader types it as a keyboard, followed by Enter, wherever the focus is. */
export function useCardReader(onCard: ((number: string) => void) | null): void {
  const latest = useRef(onCard);
  latest.current = onCard;
  const isOn = onCard !== null;
  useEffect(() => {
    if (!isOn) return;
    let [typed, lastAt] = ['', 0];
    const read = (event: KeyboardEvent) => {
      // The time of the keyboard: the page may be late.
      const isNext = event.timeStamp - lastAt <= GAP_MS;
      lastAt = event.timeStamp;
      if (event.key === 'Enter') {
        const number = isNext ? typed : '';
        typed = '';
        if (number.length < LEAST) return;
        event.preventDefault();
        event.stopPropagation();
        latest.current?.(number);
      } else if (event.key.length === 1) typed = isNext ? typed + event.key : event.key;
    };
    window.addEventListener('keydown', read, true);
    return () => window.removeEventListener('keydown', read, true);
  }, [isOn]);
}
