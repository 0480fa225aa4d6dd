import { createContext } from 'react';

/** A help page, and a heading on it; null for its beginning. */
export interface HelpPlace {
  readonly page: string;
  readonly part: string | null;
}

/** Opens the target of a link of a help page. Null on the Help screen, where links lead to addresses. */
export const OpenHelpPlace = createContext<((place: HelpPlace) => void) | null>(null);
