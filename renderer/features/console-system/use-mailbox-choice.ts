import { useQuery } from '@tanstack/react-query';
import { access } from '../../api/access.ts';

/** Returns the mailboxes as options of a choice; none while they are loading, or for a person who may not see them. */
export function useMailboxChoice(): { readonly id: string; readonly label: string }[] {
  const { data } = useQuery({
    queryKey: ['holds', 'mailboxes'],
    queryFn: ({ signal }) => access.mailboxes.listMailboxes({ query: { limit: 200 }, signal }),
  });
  return (data?.items ?? []).map(({ id, label }) => ({ id, label }));
}
