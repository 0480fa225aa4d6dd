import { access } from '../../../api/access.ts';
import { type FilterCodec, onlySet } from '../../../parts/lists/list-filter.ts';
import { useAccessRows } from '../lists/access-rows.ts';

/** Filter in the address: subject, role and resource. */
export interface GrantFilter {
  readonly of?: string;
  readonly role?: string;
  readonly on?: string;
}

export const GRANT_FILTER: FilterCodec<GrantFilter> = {
  fromAddress: ({ of, role, on }) => onlySet({ of, role, on }),
  toAddress: ({ of, role, on }) => onlySet({ of, role, on }),
};

export function useGrants({ of, role, on }: GrantFilter) {
  return useAccessRows({
    key: ['assignments', of ?? null, role ?? null, on ?? null],
    read: (page, signal) =>
      access.assignments.listAssignments({
        query: { ...page, ...onlySet({ subject_id: of, role_id: role, resource_id: on }) },
        signal,
      }),
  });
}

export type Grant = ReturnType<typeof useGrants>['items'][number];
