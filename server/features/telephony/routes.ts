import { telephonyRoutes as routes } from '../../../shared/api/telephony.ts';
import { type ServedRoute, serve, serveRaw } from '../../http/handler.ts';
import { readJsonBody } from '../../http/json-body.ts';
import { check, sentenceOf } from '../../http/sentences.ts';
import { badHandOver } from './errors.ts';
import type { TelephonyService } from './service.ts';

export function telephonyServedRoutes(service: TelephonyService): ServedRoute[] {
  return [
    serve(routes.recoverInbound, async ({ caller }) => {
      service.assertOn();
      return service.recover(caller);
    }),
    serve(routes.telephonyPresets, async () => ({ presets: [...(await service.presets())] })),
    serve(routes.telephonyLine, () => service.line()),
    serve(routes.writeTelephonyConfiguration, ({ body, caller }) => service.configure(body, caller)),
    serve(routes.checkTelephony, ({ body }) => service.check(body)),
    serve(routes.listTelephonyCalls, ({ caller, query }) => service.calls(caller, query)),
    handOverRoute(service),
  ];
}

/** Nothing of the request is read before the secret was found right. */
function handOverRoute(service: TelephonyService): ServedRoute {
  return serveRaw(routes.telephonyInbound, async (request, response) => {
    service.assertSecret(request.get('x-internal-secret'));
    const order = check(routes.telephonyInbound.body, await readJsonBody(request));
    if (!order.success) {
      service.assertOn();
      throw badHandOver(sentenceOf(order.error));
    }
    response.status(200).json(await service.takeHandOver(order.data));
  });
}
