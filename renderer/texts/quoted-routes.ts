import { quotedRoutes } from './en/quoted-routes.ts';
import { t as daily } from './index.ts';

/** With the words of routes that could carry a fax, which come with what shows them. */
export const t = { ...daily, quotedRoutes };
