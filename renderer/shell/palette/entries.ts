import { useFilter } from 'react-aria-components/Autocomplete';
import type { IconName } from '../../ui/icon.tsx';

/** What can be chosen in the palette. */
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

/** Whether a name has what was typed in it, however it is written. */
export function useContains(query: string): (label: string) => boolean {
  const { contains } = useFilter({ sensitivity: 'base' });
  return (label) => contains(label, query.trim());
}
