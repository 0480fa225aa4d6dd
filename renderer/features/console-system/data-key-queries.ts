import { queryOptions, useMutation } from '@tanstack/react-query';
import { dataKeyRoutes } from '../../../shared/api/data-key.ts';
import { createRooms } from '../../../shared/client/rooms.ts';
import { origin } from '../../api/client.ts';
import { queryClient, retryIntervalOf } from '../../api/queries.ts';

const { dataKey } = createRooms({ dataKey: dataKeyRoutes }, origin);

export type KeyState = Awaited<ReturnType<typeof dataKey.state>>;

const POLL_EVERY_MS = 1_000;

/** The data key; read again and again while it is being replaced. */
export const dataKeyQuery = queryOptions({
  queryKey: ['system', 'data-key'],
  queryFn: ({ signal }) => dataKey.state({ signal }),
  staleTime: 0,
  refetchInterval: (query) =>
    (query.state.data?.replacement ?? null) === null ? retryIntervalOf(query) : POLL_EVERY_MS,
});

/** Begins a replacement, or with `leaveUnreadable` gives up what opens with neither key. */
export function useReplaceDataKey(leaveUnreadable: boolean, onSuccess: () => void) {
  return useMutation({
    mutationFn: () => dataKey.replace({ body: { leave_unreadable: leaveUnreadable } }),
    onSuccess,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['system'] }),
  });
}
