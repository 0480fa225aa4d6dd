import { pairingRoutes as routes } from '../../../shared/api/pairing.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { actorOf, addressOf, authenticatedCaller } from '../access/service.ts';
import type { PairingService } from './service.ts';

/** Codes for people, keys for their devices. */
export function pairingServedRoutes(service: PairingService): ServedRoute[] {
  return [
    serve(routes.createPairingCode, async ({ caller, body }) => {
      const { principal, keyId } = authenticatedCaller(caller);
      const maker = { principalId: principal.id, keyId };
      const deviceName = body?.device_name ?? null;
      const made = await service.createCode(actorOf(caller), { maker, deviceName });
      return { code: made.code, expires_at: made.expiresAt };
    }),
    serve(routes.pairDevice, async ({ request, requestId, body }) => {
      const attempt = { code: body.code, deviceName: body.device_name ?? null };
      const { token, baseUrls } = await service.pair(attempt, { address: addressOf(request), requestId });
      return { base_urls: baseUrls, token };
    }),
  ];
}
