import type { Request } from 'express';
import { pairingRoutes as routes } from '../../../shared/api/pairing.ts';
import { type ServedRoute, serve, serveRaw } from '../../http/handler.ts';
import { readJsonBody, UNAUTHENTICATED_BODY_BYTES } from '../../http/json-body.ts';
import { requestIdOf } from '../../http/request-context.ts';
import { check } from '../../http/sentences.ts';
import { RefusalError } from '../../platform/errors.ts';
import { actorOf, addressOf, authenticatedCaller } from '../access/service.ts';
import type { PairingService } from './service.ts';
import type { PairingAttempt } from './types.ts';

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
    serveRaw(routes.pairDevice, async (request, response) => {
      const visitor = { address: addressOf(request), requestId: requestIdOf(response) };
      const { token, baseUrls } = await service.pair(await attemptOf(request), visitor);
      response.status(200).json({ base_urls: baseUrls, token });
    }),
  ];
}

/** Parses the request of a device; null when the body cannot be read or is invalid. */
async function attemptOf(request: Request): Promise<PairingAttempt | null> {
  const json = await readJsonBody(request, UNAUTHENTICATED_BODY_BYTES).catch((error: unknown) => {
    if (error instanceof RefusalError) return undefined;
    throw error;
  });
  const body = check(routes.pairDevice.body, json);
  return body.success ? { code: body.data.code, deviceName: body.data.device_name ?? null } : null;
}
