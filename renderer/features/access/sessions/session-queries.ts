import type { z } from 'zod';
import type { AccessSession } from '../../../../shared/api/access-sessions.ts';
import { access } from '../../../api/access.ts';
import { type FilterCodec, onlySet } from '../../../parts/lists/list-filter.ts';
import { useChange } from '../changes/use-change.ts';
import { useAccessRows } from '../lists/access-rows.ts';

type Session = z.infer<typeof AccessSession>;

export interface SessionFilter {
  /** Of one person; null for everybody. */
  readonly personId: string | null;
  /** Also those that ended. */
  readonly withEnded: boolean;
}

export const SESSION_FILTER: FilterCodec<SessionFilter> = {
  fromAddress: ({ of, state }) => ({ personId: of ?? null, withEnded: state === 'all' }),
  toAddress: ({ personId, withEnded }) => onlySet({ of: personId, state: withEnded && 'all' }),
};

/** Sessions, newest first, as far as they were looked at. */
export function useSessions({ personId, withEnded }: SessionFilter) {
  const filter = {
    ...(personId !== null && { principal_id: personId }),
    ...(!withEnded && { live: 'true' }),
  };
  return useAccessRows({
    key: ['sessions', filter],
    read: async (request, signal) => {
      const page = await access.sessions.listAccessSessions({ query: { ...filter, ...request }, signal });
      return { ...page, items: page.items.map(listed) };
    },
  });
}

const listed = (session: Session) => ({ ...session, id: session.session_id });

export type ListedSession = ReturnType<typeof useSessions>['items'][number];

/** Ends a session. Its window is notified at once. */
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
