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
/** What could not be loaded because nobody answered is asked for again by itself, so often. */
const UNANSWERED_AGAIN_MS = 5_000;

/** For `refetchInterval`: how soon to ask again what nobody answered; false where somebody did. */
export const whenUnanswered = ({ state }: { state: { error: unknown } }): number | false =>
  (state.error instanceof UnreachableError || isStatus(state.error, 502, 503, 504)) && UNANSWERED_AGAIN_MS;

type Unheard = () => void;
const unheard = new Set<Unheard>();

/** Calls the listener when the gateway no longer knows the session. Returns: stop listening. */
export function onSessionEnded(listener: Unheard): () => void {
  unheard.add(listener);
  return () => unheard.delete(listener);
}

/** For failures of requests that are no queries or mutations: those are looked at already. */
export function sessionMayHaveEnded(error: unknown): void {
  const wasSignedIn = Boolean(queryClient.getQueryData(['me']));
  if (isStatus(error, 401) && wasSignedIn) for (const listener of unheard) listener();
}

/** What was read stays as it is until an event says that it changed. */
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

/** One fax or work item, its history and its evidence: what a person has open is asked for whenever they come to it. */
for (const name of ['fax', 'inbound', 'work', 'work-row'])
  queryClient.setQueryDefaults([name], {
    structuralSharing: newestShared,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
/** What stands beside every screen. */
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

/** Whether somebody left this page: until somebody signs in on it, nobody is asked for again. */
export function setLeft(left: boolean): void {
  hasLeft = left;
}

/** Who is signed in; null when nobody is. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    // The gateway may not have heard of it yet, and would still know the session.
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

/** What this person sees of the console. */
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

/** What the signed-in person holds on the installation, and what of faxes, documents and work anywhere. */
export function useHeld(): readonly Permission[] {
  const me = useQuery(meQuery).data;
  const context = useQuery(contextQuery).data;
  return [...(me?.permissions ?? []), ...(context?.anywhere ?? [])];
}

/** What the signed-in person holds on the installation alone. */
export function useHeldEverywhere(): readonly Permission[] {
  return useQuery(meQuery).data?.permissions ?? [];
}

/** Whether the signed-in person may decide what e-mail connectors send: they change settings and open all received documents. */
export function useMayMail(): boolean {
  const held = useHeldEverywhere();
  return held.includes('settings:write') && held.includes('inbound:document');
}

/** Whether they hold a permission so; what they may do with one fax is judged by the gateway. */
export function usePermission(permission: Permission): boolean {
  return useHeld().includes(permission);
}

export function useMe() {
  return useQuery(meQuery).data ?? null;
}

export type Installation = NonNullable<ReturnType<typeof useInstallation>>;
export type Me = NonNullable<ReturnType<typeof useMe>>;

/** Whether a person signed in as themselves, with their password or a passkey. */
export const isOwnSession = ({ session }: Me): boolean =>
  session?.source_kind === 'password' || session?.source_kind === 'passkey';
