import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import {
  type DeliveryRoute as DeliveryRouteShape,
  deliveryRoutes as routes,
} from '../../shared/api/routing-routes.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { LIMITS } from '../../shared/limits.ts';
import { origin } from './client.ts';

export type DeliveryRoute = z.infer<typeof DeliveryRouteShape>;

/** Comes with what shows routes and not with the first screen. */
export const { deliveryRoutes } = createRooms({ deliveryRoutes: routes }, origin);

/** All of them, oldest first. They change without an event. */
export const deliveryRoutesQuery = queryOptions({
  queryKey: ['delivery-routes'],
  queryFn: async ({ signal }) => {
    const found: DeliveryRoute[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = { limit: LIMITS.listLimit.most, cursor };
      const page = await deliveryRoutes.listDeliveryRoutes({ query, signal });
      found.push(...page.items);
      if (page.next_cursor === null) return found;
      cursor = page.next_cursor;
    }
  },
  staleTime: 0,
});
