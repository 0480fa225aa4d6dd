import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useComputerMailbox } from '../parts/desktop-preferences.ts';
import { forgetPlaces } from '../ui/list-places.ts';
import { type Screen, screenAt } from './screens.ts';

/** State of a list screen when it was left: the open entry, and the filter. */
interface Place {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly search: Readonly<Record<string, unknown>>;
}

const KEPT: readonly Screen['path'][] = [
  '/inbox/{-$receivedId}',
  '/work/{-$workId}',
  '/sent/{-$sentId}',
  '/contacts/{-$contactId}',
  '/access/{-$part}/{-$id}',
];
const places = new Map<Screen['path'], Place>();

/** Remembers how list screens are left, for who comes back to them. */
export function useScreenPlaces(): void {
  const match = useRouterState({ select: ({ matches }) => matches.at(-1) });
  useEffect(() => {
    const screen = match && screenAt(match.pathname);
    if (screen && KEPT.includes(screen.path))
      places.set(screen.path, { params: match.params, search: match.search });
  }, [match]);
}

/** Filters with which list screens begin; the others begin with everything. */
type Beginnings = Partial<Record<Screen['path'], Place['search']>>;

/** Returns the beginnings of the list screens: that of the Inbox is the mailbox of this computer. */
export function useBeginnings(): Beginnings {
  const mailbox = useComputerMailbox()?.label;
  return mailbox === undefined ? {} : { '/inbox/{-$receivedId}': { mailbox } };
}

/** Returns the place at which a screen opens: as it was left, or its beginning when it is in view already. */
export function placeOf(
  { path }: Screen,
  pathname: string,
  beginnings: Beginnings,
): { params: object; search: object } {
  const isThere = screenAt(pathname)?.path === path;
  return (!isThere && places.get(path)) || { params: {}, search: beginnings[path] ?? {} };
}

/** Another person begins anew. */
export function forgetScreenPlaces(): void {
  places.clear();
  forgetPlaces();
}
