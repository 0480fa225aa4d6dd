import { useFilter } from 'react-aria-components/Autocomplete';
import type { IconName } from '../../ui/icon.tsx';

/** Entry of the palette. */
export interface Entry {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly keys?: string | undefined;
  readonly aside?: string;
  readonly run: () => void;
}

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The section as a list of one; none while it is empty. */
export const sectionOf = (title: string, entries: readonly Entry[]): Section[] =>
  entries.length > 0 ? [{ title, entries }] : [];

/** Returns a function that is true for labels that contain the query, regardless of case and accents. */
export function useContains(query: string): (label: string) => boolean {
  const { contains } = useFilter({ sensitivity: 'base' });
  return (label) => contains(label, query.trim());
}

/** Returns a function that orders labels: those that begin with the query first, the others as they were. */
export function useBeginsFirst(query: string): (one: string, other: string) => number {
  const { startsWith } = useFilter({ sensitivity: 'base' });
  const rank = (label: string) => (startsWith(label, query.trim()) ? 0 : 1);
  return (one, other) => rank(one) - rank(other);
}
