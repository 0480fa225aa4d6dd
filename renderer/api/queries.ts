import {
  focusManager,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  useQuery,
} from '@tanstack/react-query';
import type { Permission } from '../../shared/permissions.ts';
import { client, rememberTokens } from './client.ts';
import { newestShared } from './newest.ts';
import { isStatus, UnreachableError } from './sentence.ts';

const TRIES = 3;
/** Interval at which queries without a response are repeated. */
const UNANSWERED_AGAIN_MS = 5_000;

/**
 * Returns the interval in ms at which to repeat a query without a response; false when there was one. For
 * `refetchInterval`.
 */
export const whenUnanswered = ({ state }: { state: { error: unknown } }): number | false =>
  (state.error instanceof UnreachableError || isStatus(state.error, 502, 503, 504)) && UNANSWERED_AGAIN_MS;

type Unheard = () => void;
const unheard = new Set<Unheard>();

/** Calls the listener when the session has ended on the gateway. Returns a function that unsubscribes. */
export function onSessionEnded(listener: Unheard): () => void {
  unheard.add(listener);
  return () => unheard.delete(listener);
}

/** For failures of requests that are no queries or mutations: those are looked at already. */
export function sessionMayHaveEnded(error: unknown): void {
  const wasSignedIn = Boolean(queryClient.getQueryData(['me']));
  if (isStatus(error, 401) && wasSignedIn) for (const listener of unheard) listener();
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
      refetchInterval: whenUnanswered,
      retry: (count, error) => error instanceof UnreachableError && count < TRIES,
    },
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
  const comeBack = () => setFocused();
  window.addEventListener('visibilitychange', comeBack);
  window.addEventListener('focus', comeBack);
  return () => {
    window.removeEventListener('visibilitychange', comeBack);
    window.removeEventListener('focus', comeBack);
  };
});

let hasLeft = false;

/** Records that the person left this page. Until the next sign-in here, `meQuery` returns null without a request. */
export function setLeft(left: boolean): void {
  hasLeft = left;
}

/** The signed-in person; null when nobody is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    // The sign-out may not have reached the gateway yet, which would still accept the session.
    if (hasLeft) return null;
    try {
      const me = await client.access.me({ signal });
      rememberTokens(me);
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
  refetchInterval: (query) => whenUnanswered(query) || 30_000,
});

export function useInstallation() {
  return useQuery(installationQuery).data;
}

/**
 * Returns the signed-in person's permissions on the installation, and those they hold on any fax, document or work
 * item.
 */
export function useHeld(): readonly Permission[] {
  const me = useQuery(meQuery).data;
  const context = useQuery(contextQuery).data;
  return [...(me?.permissions ?? []), ...(context?.anywhere ?? [])];
}

/** Returns the signed-in person's permissions on the installation alone. */
export function useHeldEverywhere(): readonly Permission[] {
  return useQuery(meQuery).data?.permissions ?? [];
}

/**
 * Returns true when the signed-in person may decide what e-mail connectors send, that is, may change settings and open
 * all received documents.
 */
export function useMayMail(): boolean {
  const held = useHeldEverywhere();
  return held.includes('settings:write') && held.includes('inbound:document');
}

/** Returns true when `useHeld` contains the permission. What they may do with one fax is decided by the gateway. */
export function usePermission(permission: Permission): boolean {
  return useHeld().includes(permission);
}

export function useMe() {
  return useQuery(meQuery).data ?? null;
}

export type Installation = NonNullable<ReturnType<typeof useInstallation>>;
export type Me = NonNullable<ReturnType<typeof useMe>>;

/** Returns true when the person signed in as themselves, with a password or a passkey. */
export const isOwnSession = ({ session }: Me): boolean =>
  session?.source_kind === 'password' || session?.source_kind === 'passkey';
