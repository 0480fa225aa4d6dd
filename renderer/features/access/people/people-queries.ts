import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { AccessPrincipal, AccessPrincipalDetails } from '../../../../shared/api/access-people.ts';
import { access } from '../../../api/access.ts';
import { type FilterCodec, onlySet } from '../../../parts/lists/list-filter.ts';
import { useAccessRows } from '../lists/access-rows.ts';

export type Principal = z.infer<typeof AccessPrincipal>;
export type PrincipalDetails = z.infer<typeof AccessPrincipalDetails>;

/** The two kinds that are managed here; the installation key is not. */
export type ManagedKind = 'user' | 'integration';

export function kindOf(principal: Pick<Principal, 'kind'>): ManagedKind {
  return principal.kind === 'integration' ? 'integration' : 'user';
}

export interface PrincipalFilter {
  /** Part of the name or the sign-in name. */
  readonly q: string;
  readonly isDisabled: boolean;
}

export const PRINCIPAL_FILTER: FilterCodec<PrincipalFilter> = {
  fromAddress: ({ q = '', state }) => ({ q: q.trim(), isDisabled: state === 'disabled' }),
  toAddress: ({ q, isDisabled }) => onlySet({ q, state: isDisabled && 'disabled' }),
};

/** People or integrations by name, as far as they were looked at. */
export function usePrincipals(kind: ManagedKind, { q, isDisabled }: PrincipalFilter) {
  const filter = onlySet({ q, enabled: isDisabled && 'false' });
  return useAccessRows<Principal>({
    key: ['principals', kind, filter],
    read: (request, signal) =>
      kind === 'user'
        ? access.people.listUsers({ query: { ...filter, ...request }, signal })
        : access.people.listIntegrations({ query: { ...filter, ...request }, signal }),
  });
}

/** One of them, with groups and what they may do and why. */
export const principalQuery = (id: string) =>
  queryOptions({
    queryKey: ['access', 'principal', id],
    staleTime: 0,
    queryFn: ({ signal }) => access.people.getUser({ params: { id }, signal }),
  });

interface PrincipalChanges {
  readonly display_name?: string;
  readonly login?: string;
  readonly enabled?: boolean;
}

/** Returns the versions of the last read that a change of this principal requires. */
export function expectedVersions({ user, policy_version }: PrincipalDetails) {
  return {
    params: { id: user.id },
    body: { version: user.version, expected_policy_version: policy_version },
  };
}

export function changePrincipal(details: PrincipalDetails, { login, ...changes }: PrincipalChanges) {
  const { params, body } = expectedVersions(details);
  if (kindOf(details.user) === 'integration')
    return access.people.changeIntegration({ params, body: { ...changes, ...body } });
  return access.people.changeUser({
    params,
    body: { ...changes, ...(login !== undefined && { login }), ...body },
  });
}
