import type { Caller } from '../../server/http/caller.ts';

/** A person who is signed in and may do everything, but for what is given. */
export function fakeCaller(given: Partial<Caller> & { id?: string } = {}): Caller {
  const { id = 'ann', ...facts } = given;
  return {
    principal: { id, kind: 'user', displayName: id, version: 1 },
    credential: { kind: 'session', id: `session-of-${id}` },
    policyVersion: 1,
    requestId: null,
    isTest: false,
    permissions: new Set(),
    holds: () => true,
    holdsAnywhere: () => true,
    ...facts,
  };
}
