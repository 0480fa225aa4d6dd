import { queryOptions } from '@tanstack/react-query';
import { upgradeRoutes } from '../../../shared/api/upgrade.ts';
import { createRooms } from '../../../shared/client/rooms.ts';
import { origin } from '../../api/client.ts';
import { retryIntervalOf } from '../../api/queries.ts';

/** Client of the way from an earlier release, which only this page needs. */
export const { upgrade: earlierClient } = createRooms({ upgrade: upgradeRoutes }, origin);

const POLL_EVERY_MS = 1_000;

/** State of the check and the upgrade; read again and again while one is under way. */
export const earlierQuery = (isMoving: boolean) =>
  queryOptions({
    queryKey: ['system', 'upgrade'],
    queryFn: ({ signal }) => earlierClient.state({ signal }),
    staleTime: 0,
    refetchInterval: (query) =>
      isMoving || query.state.data?.checking === true ? POLL_EVERY_MS : retryIntervalOf(query),
  });
