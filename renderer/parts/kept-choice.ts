import { useCallback, useState } from 'react';
import { useMe } from '../api/queries.ts';

const KEY = 'faxdesk.choices';

type Choices = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function allChoices(): Choices {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as Choices) : {};
  } catch {
    return {};
  }
}

/**
 * Returns the choice of the person under this name in this browser, and a function that keeps another choice. `read` returns
 * the choice of what was stored, which an earlier release may have written; null for what cannot be used.
 */
export function useKeptChoice<T>(
  name: string,
  first: T,
  read: (stored: unknown) => T | null,
): [choice: T, keep: (choice: T) => void] {
  const person = useMe()?.principal.id ?? '';
  const [choice, setChoice] = useState<T>(() => read(allChoices()[person]?.[name]) ?? first);
  const keep = useCallback(
    (next: T) => {
      setChoice(next);
      const all = allChoices();
      try {
        localStorage.setItem(KEY, JSON.stringify({ ...all, [person]: { ...all[person], [name]: next } }));
      } catch {
        // It then lasts as long as the page.
      }
    },
    [person, name],
  );
  return [choice, keep];
}
