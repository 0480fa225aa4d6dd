import {
  focusManager,
  MutationCache,
  QueryCache,
  QueryClient,
  QueryObserver,
  queryOptions,
  useQuery,
} from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Permission } from '../../shared/permissions.ts';
import { PERSON_SOURCES } from '../../shared/states/access.ts';
import { client, rememberTokens } from './client.ts';
import { takePosition } from './live.ts';
import { newestShared } from './newest.ts';
import { isStatus, UnreachableError } from './sentence.ts';

const TRIES = 3;
/** Interval at which queries without a response are repeated. */
const RETRY_INTERVAL_MS = 5_000;

/**
 * Returns the interval in ms at which to repeat a query without a response; false when there was one. For
 * `refetchInterval`.
 */
export const retryIntervalOf = ({ state }: { state: { error: unknown } }): number | false =>
  (state.error instanceof UnreachableError || isStatus(state.error, 502, 503, 504)) && RETRY_INTERVAL_MS;

type SessionEndListener = () => void;
const sessionEndListeners = new Set<SessionEndListener>();

/** Calls the listener when the session has ended on the gateway. Returns a function that unsubscribes. */
export function onSessionEnded(listener: SessionEndListener): () => void {
  sessionEndListeners.add(listener);
  return () => sessionEndListeners.delete(listener);
}

/** For failures of requests that are no queries or mutations: those are looked at already. */
export function sessionMayHaveEnded(error: unknown): void {
  const wasSignedIn = Boolean(queryClient.getQueryData(['me']));
  if (isStatus(error, 401) && wasSignedIn) for (const listener of sessionEndListeners) listener();
}

/** Cache of all queries. Data stays fresh until an event reports a change. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: sessionMayHaveEnded }),
  mutationCache: new MutationCache({ onError: sessionMayHaveEnded }),
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      refetchInterval: retryIntervalOf,
      retry: (count, error) => error instanceof UnreachableError && count < TRIES,
      // The gateway may be on this computer, or in a network that the browser takes for none.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** One fax or work item, its history and its evidence: read again whenever the person comes to it. */
for (const name of ['fax', 'inbound', 'work', 'work-row'])
  queryClient.setQueryDefaults([name], {
    structuralSharing: newestShared,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
/** Data shown beside every screen. */
for (const name of ['fax-counts', 'inbound-counts', 'work-counts', 'installation', 'problems'])
  queryClient.setQueryDefaults([name], { refetchOnWindowFocus: 'always' });

// A window that stands behind another one is visible all the same, and is come back to.
focusManager.setEventListener((setFocused) => {
  const refocus = () => setFocused();
  window.addEventListener('visibilitychange', refocus);
  window.addEventListener('focus', refocus);
  return () => {
    window.removeEventListener('visibilitychange', refocus);
    window.removeEventListener('focus', refocus);
  };
});

let isSignedOut = false;

/** Records that the person left this page. Until the next sign-in here, `meQuery` returns null without a request. */
export function markSignedOut(left: boolean): void {
  isSignedOut = left;
}

/** The signed-in person; null when nobody is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    // The sign-out may not have reached the gateway yet, which would still accept the session.
    if (isSignedOut) return null;
    try {
      const me = await client.access.me({ signal });
      rememberTokens(me);
      if (!me.password_change_required) await takePosition(signal);
      return me;
    } catch (error) {
      if (!isStatus(error, 401)) throw error;
      sessionMayHaveEnded(error);
      return null;
    }
  },
});

/** Parts of the console that this person sees. */
export const contextQuery = queryOptions({
  queryKey: ['context'],
  queryFn: ({ signal }) => client.console.context({ signal }),
});

/** Name, number, line state and first steps of this installation. */
export const installationQuery = queryOptions({
  queryKey: ['installation'],
  queryFn: ({ signal }) => client.console.installation({ signal }),
  // The provider may come and go without an event.
  refetchInterval: (query) => retryIntervalOf(query) || 30_000,
});

export function useInstallation() {
  return useQuery(installationQuery).data;
}

/**
 * Returns the signed-in person's permissions on the installation, and those they hold on any fax, document or work
 * item.
 */
export function usePermissions(): readonly Permission[] {
  return useSyncExternalStore(followPermissions, heldPermissions);
}

const permissionListeners = new Set<() => void>();
let stopFollowing: (() => void) | null = null;

/** Most components ask for permissions, so one observer of each query serves all of them. */
function followPermissions(listener: () => void): () => void {
  permissionListeners.add(listener);
  stopFollowing ??= observePermissions();
  return () => {
    permissionListeners.delete(listener);
    if (permissionListeners.size > 0) return;
    stopFollowing?.();
    stopFollowing = null;
  };
}

function observePermissions(): () => void {
  const notify = () => {
    for (const listener of permissionListeners) listener();
  };
  const ends = [
    new QueryObserver(queryClient, meQuery).subscribe(notify),
    new QueryObserver(queryClient, contextQuery).subscribe(notify),
  ];
  return () => {
    for (const end of ends) end();
  };
}

let held: {
  readonly own?: readonly Permission[] | undefined;
  readonly anywhere?: readonly Permission[] | undefined;
  readonly all: readonly Permission[];
} = { all: [] };

/** Returns the same list until one of its parts changes. */
function heldPermissions(): readonly Permission[] {
  const own = queryClient.getQueryData(meQuery.queryKey)?.permissions;
  const anywhere = queryClient.getQueryData(contextQuery.queryKey)?.anywhere;
  if (own !== held.own || anywhere !== held.anywhere)
    held = { own, anywhere, all: [...(own ?? []), ...(anywhere ?? [])] };
  return held.all;
}

/** Returns the signed-in person's permissions on the installation alone. */
export function useInstallationPermissions(): readonly Permission[] {
  return useQuery(meQuery).data?.permissions ?? [];
}

/**
 * Returns true when the signed-in person may decide what e-mail connectors send, that is, may change settings and open
 * all received documents.
 */
export function useCanManageMail(): boolean {
  const held = useInstallationPermissions();
  return held.includes('settings:write') && held.includes('inbound:document');
}

/** Returns true when `usePermissions` contains the permission. What they may do with one fax is decided by the gateway. */
export function usePermission(permission: Permission): boolean {
  return usePermissions().includes(permission);
}

export function useMe() {
  return useQuery(meQuery).data ?? null;
}

export type Installation = NonNullable<ReturnType<typeof useInstallation>>;
export type Me = NonNullable<ReturnType<typeof useMe>>;

/** Returns true when the person signed in as themselves, and not with a key. */
export const isOwnSession = ({ session }: Me): boolean =>
  PERSON_SOURCES.some((source) => source === session?.source_kind);
