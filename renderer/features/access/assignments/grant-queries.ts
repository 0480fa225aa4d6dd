import { useNavigate, useSearch } from '@tanstack/react-router';
import { access } from '../../../api/access.ts';
import { usePages } from '../lists/pages.ts';

/** What stands in the address: whose, which role, where. */
export interface GrantFilter {
  readonly of?: string;
  readonly role?: string;
  readonly on?: string;
}

export function useGrantFilter() {
  const { of, role, on } = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter: GrantFilter = { ...(of && { of }), ...(role && { role }), ...(on && { on }) };
  return {
    filter,
    setFilter: (next: GrantFilter) => void navigate({ to: '.', search: { ...next }, replace: true }),
  };
}

export function useGrants({ of, role, on }: GrantFilter) {
  return usePages({
    key: ['assignments', of ?? null, role ?? null, on ?? null],
    read: (page, signal) =>
      access.assignments.listAssignments({
        query: {
          ...page,
          ...(of && { subject_id: of }),
          ...(role && { role_id: role }),
          ...(on && { resource_id: on }),
        },
        signal,
      }),
  });
}

export type Grant = ReturnType<typeof useGrants>['items'][number];
