import { intakeRoutes as routes } from '../../../shared/api/intake.ts';
import { oauthRoutes } from '../../../shared/api/intake-oauth.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { NewMinuteLimit } from '../../http/rate-limit.ts';
import type { IntakeService } from './service.ts';

/** Enough for a person who sets a connector up; a program that looks for open ports by tests gets no further, with however many keys. */
const TESTS_PER_MINUTE = 20;

export function intakeServedRoutes(service: IntakeService, minuteLimit: NewMinuteLimit): ServedRoute[] {
  const tests = minuteLimit('connector-tests');
  return [
    serve(routes.listConnectors, async () => ({ items: await service.connectors() })),
    serve(routes.createConnector, ({ caller, body }) => service.create(caller, body)),
    serve(routes.changeConnector, ({ caller, params, body }) => service.change(caller, params.id, body)),
    serve(routes.removeConnector, ({ caller, params, body }) =>
      service.remove(caller, { id: params.id, version: body.version }),
    ),
    serve(routes.testConnector, async ({ caller, params, request }) => {
      await tests.consume(caller.principal.id, TESTS_PER_MINUTE, request);
      return service.test(caller, params.id);
    }),
    serve(oauthRoutes.setConnectorOAuth, ({ caller, params, body }) =>
      service.setOAuth(caller, params.id, body),
    ),
    serve(oauthRoutes.removeConnectorOAuth, ({ caller, params }) => service.removeOAuth(caller, params.id)),
    serve(routes.listDeliveries, ({ caller, query }) => service.deliveries(caller, query)),
    serve(routes.retryDelivery, ({ caller, params }) => service.retry(caller, params.id)),
    serve(routes.confirmDelivery, ({ caller, params, body }) =>
      service.confirm(caller, { id: params.id, ...body }),
    ),
  ];
}
