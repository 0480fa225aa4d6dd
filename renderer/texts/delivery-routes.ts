import { t as administration } from './administration.ts';
import { deliveryRoutes } from './en/delivery-routes.ts';

/** With the words of routes, which come with Settings. */
export const t = { ...administration, deliveryRoutes };
