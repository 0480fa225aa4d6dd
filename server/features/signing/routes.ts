import { signingRoutes as routes } from '../../../shared/api/signing.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { SigningService } from './service.ts';

export function signingServedRoutes(service: SigningService): ServedRoute[] {
  return [
    serve(routes.listSigningKeys, async () => ({
      keys: (await service.keys()).map(({ fingerprint, publicKey, madeAt, isCurrent }) => ({
        fingerprint,
        public_key: publicKey,
        made_at: madeAt,
        current: isCurrent,
      })),
    })),
  ];
}
