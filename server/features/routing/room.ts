import { defineRoom, type Room } from '../room.ts';
import type { Routing } from './service.ts';

/** The room that chooses the way out of a fax. */
export function createRouting(service: Routing): Room & { readonly service: Routing } {
  return {
    ...defineRoom({ name: 'routing', settings: { names: ['FAX_BACKEND'], changed: async () => undefined } }),
    service,
  };
}
