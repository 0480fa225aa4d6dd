import { queryOptions } from '@tanstack/react-query';
import { access } from '../../../api/access.ts';

/** A group with its members. */
export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['access', 'group', id],
    staleTime: 0,
    queryFn: ({ signal }) => access.groups.getGroup({ params: { id }, signal }),
  });

export type GroupDetails = Awaited<ReturnType<typeof access.groups.getGroup>>;
export type Member = GroupDetails['members'][number];

/** Returns the versions of the last read that a change of this group requires. */
export function expectedVersions({ group, policy_version }: GroupDetails) {
  return {
    params: { id: group.id },
    body: { version: group.version, expected_policy_version: policy_version },
  };
}
