import type { z } from 'zod';
import type { AccessSession } from '../../../../shared/api/access-sessions.ts';
import { access } from '../../../api/access.ts';
import { useChange } from '../changes/use-change.ts';
import { usePages } from '../lists/pages.ts';

export type Session = z.infer<typeof AccessSession>;

export interface SessionFilter {
  /** Of one person; null for everybody. */
  readonly personId: string | null;
  /** Also those that ended. */
  readonly withEnded: boolean;
}

/** Sessions, newest first, as far as they were looked at. */
export function useSessions({ personId, withEnded }: SessionFilter) {
  const filter = {
    ...(personId !== null && { principal_id: personId }),
    ...(!withEnded && { live: 'true' }),
  };
  const pages = usePages<Session>({
    key: ['sessions', filter],
    read: (request, signal) =>
      access.sessions.listAccessSessions({ query: { ...filter, ...request }, signal }),
  });
  return { ...pages, items: pages.items.map((session) => ({ ...session, id: session.session_id })) };
}

export type ListedSession = ReturnType<typeof useSessions>['items'][number];

/** Ends a session, of which the window there hears at once. */
export function useEndSession(policyVersion: number, onDone?: () => void) {
  return useChange(
    (session_id: string) =>
      access.sessions.revokeAccessSession({
        params: { session_id },
        body: { expected_policy_version: policyVersion },
      }),
    onDone,
  );
}
