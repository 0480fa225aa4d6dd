import { webhooksRoutes as routes } from '../../../shared/api/webhooks.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { NewMinuteLimit } from '../../http/rate-limit.ts';
import type { WebhooksService } from './service.ts';

/** Enough for a person who sets a webhook up; too few for a program that looks for open ports. */
const TESTS_PER_MINUTE = 20;

export function webhooksServedRoutes(service: WebhooksService, minuteLimit: NewMinuteLimit): ServedRoute[] {
  const tests = minuteLimit('webhook-tests');
  return [
    serve(routes.listEndpoints, async () => ({
      items: await service.endpoints(),
      enabled: service.isEnabled(),
    })),
    serve(routes.createEndpoint, ({ caller, body }) => service.create(caller, body)),
    serve(routes.changeEndpoint, ({ caller, params, body: { version, ...fields } }) =>
      service.change(caller, { id: params.id, version }, fields),
    ),
    serve(routes.replaceSecret, ({ caller, params, body }) =>
      service.replaceSecret(caller, { id: params.id, ...body }),
    ),
    serve(routes.removeEndpoint, ({ caller, params, body }) =>
      service.remove(caller, { id: params.id, version: body.version }),
    ),
    serve(routes.testEndpoint, async ({ caller, params, request }) => {
      await tests.consume(caller.principal.id, TESTS_PER_MINUTE, request);
      return service.test(caller, params.id);
    }),
    serve(routes.listDeliveries, ({ query }) => service.deliveries(query)),
    serve(routes.getDelivery, ({ params }) => service.delivery(params.id)),
    serve(routes.sendAgain, ({ caller, params }) => service.sendAgain(caller, params.id)),
  ];
}
