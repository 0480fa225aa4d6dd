import { deliveryRoutes } from './en/delivery-routes.ts';
import { t as house } from './house.ts';

/** With the words of routes, which come with Settings. */
export const t = { ...house, deliveryRoutes };
