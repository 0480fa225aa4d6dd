import type { OutboundService } from '../outbound/service.ts';
import { defineRoom, type Room } from '../room.ts';
import { casesServedRoutes } from './routes.ts';
import { createCasesService } from './service.ts';

/** The room of cases: documents that belong together and are sent as one fax. */
export function createCases({ outbound }: { readonly outbound: OutboundService }): Room {
  return defineRoom({ name: 'cases', served: casesServedRoutes(createCasesService(outbound)) });
}
