import { gatewaysRoutes as routes } from '../../../shared/api/gateways.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { GatewaysService } from './service.ts';

export function gatewaysServedRoutes(service: GatewaysService): ServedRoute[] {
  return [serve(routes.list, () => service.list())];
}
