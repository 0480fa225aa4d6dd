import { accessRoutes as routes } from '../../../../shared/api/access.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { type AccessService, actorOf, type KeyMeta, unread } from '../service.ts';

/** The earlier admin routes for API keys. */
export function keyServedRoutes(service: AccessService): ServedRoute[] {
  return [
    serve(routes.createKey, async ({ caller, body }) => {
      const { key, token } = await service.keys.createOwn(actorOf(caller), {
        name: body?.name ?? null,
        note: body?.note ?? null,
        owner: body?.owner ?? null,
        scopes: body?.scopes ?? null,
        expiresAt: body?.expires_at ?? null,
        isTest: body?.test ?? false,
      });
      return { ...metaOf(key), token };
    }),
    serve(routes.listKeys, async () => (await service.keys.list()).map(metaOf)),
    serve(routes.revokeKey, async ({ caller, params }) => {
      await service.keys.end(actorOf(caller), params.keyId);
      return { status: 'ok' as const };
    }),
    serve(routes.rotateKey, async ({ caller, params }) => {
      const { key, token } = await service.keys.rotate(actorOf(caller), unread(params.keyId));
      return { key_id: key.keyId, token };
    }),
  ];
}

function metaOf(key: KeyMeta) {
  return {
    key_id: key.keyId,
    name: key.name,
    note: key.note,
    owner: key.owner,
    scopes: [...new Set(key.ceiling.map((entry) => entry.permission))],
    test: key.isTest,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
  };
}
