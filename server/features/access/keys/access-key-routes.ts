import type { z } from 'zod';
import { type AccessKey, accessKeyRoutes as routes } from '../../../../shared/api/access-keys.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { type AccessService, actorOf, type KeyRef, type OwnedKey } from '../service.ts';
import { stopOf } from './key-rules.ts';

/** API keys of people and integrations. */
export function accessKeyServedRoutes({ keys }: AccessService): ServedRoute[] {
  const shown = (key: OwnedKey) => ({ ...factsOf(key), state: keys.stateOf(key) });
  return [
    serve(routes.listAccessKeys, async ({ query }) => {
      const { principal_id: principalId, state, limit, cursor } = query;
      const page = await keys.page({ principalId, state, limit, cursor });
      return {
        items: page.items.map(shown),
        next_cursor: page.next_cursor,
        policy_version: page.policyVersion,
      };
    }),
    serve(routes.createAccessKey, async ({ caller, body }) => {
      const made = await keys.create(actorOf(caller), {
        principal: body.principal,
        name: body.name ?? null,
        note: body.note ?? null,
        expiresAt: body.expires_at ?? null,
        ceiling: body.ceiling,
        isTest: body.test ?? false,
        policyVersion: body.expected_policy_version,
      });
      return { key: shown(made.key), token: made.token, policy_version: made.policyVersion };
    }),
    serve(routes.changeAccessKey, async ({ caller, params, body }) => {
      const { name, note, expires_at: expiresAt, ceiling, take_over: takeOver } = body;
      const edit = { name, note, expiresAt, ceiling, takeOver };
      const { key, policyVersion } = await keys.edit(actorOf(caller), refOf(params, body), edit);
      return { key: shown(key), policy_version: policyVersion };
    }),
    ...renewalRoutes(keys, shown),
    serve(routes.revokeAccessKey, async ({ caller, params, body }) => {
      const { key, policyVersion } = await keys.revoke(actorOf(caller), refOf(params, body));
      return { key: shown(key), policy_version: policyVersion };
    }),
    serve(routes.approveAccessKey, async ({ caller, params, body }) => {
      const { principal, ceiling } = body;
      const as = { principal, ceiling };
      const { key, policyVersion } = await keys.approve(actorOf(caller), refOf(params, body), as);
      return { key: shown(key), policy_version: policyVersion };
    }),
  ];
}

/** Those that show another secret. */
function renewalRoutes(
  keys: AccessService['keys'],
  shown: (key: OwnedKey) => z.infer<typeof AccessKey>,
): ServedRoute[] {
  return [
    serve(routes.rotateAccessKey, async ({ caller, params, body }) => {
      const made = await keys.rotate(actorOf(caller), refOf(params, body));
      return { key: shown(made.key), token: made.token, policy_version: made.policyVersion };
    }),
    serve(routes.replaceAccessKey, async ({ caller, params, body }) => {
      const ends = { oldExpiresAt: body.old_expires_at ?? null, expiresAt: body.expires_at };
      const made = await keys.replace(actorOf(caller), refOf(params, body), ends);
      const { token, policyVersion: policy_version } = made;
      return { key: shown(made.key), token, replaced: shown(made.replaced), policy_version };
    }),
  ];
}

function refOf(
  params: { key_id: string },
  body: { version: number; expected_policy_version: number },
): KeyRef {
  return { keyId: params.key_id, version: body.version, policyVersion: body.expected_policy_version };
}

function factsOf(key: OwnedKey): Omit<z.infer<typeof AccessKey>, 'state'> {
  const { id, kind, displayName, enabled } = key.principal;
  return {
    key_id: key.keyId,
    principal: { id, kind, display_name: displayName, enabled },
    name: key.name,
    note: key.note,
    owner: key.owner,
    made_by: { id: key.maker.id, display_name: key.maker.name },
    maker_left_at: key.makerLeftAt,
    stops_at: stopOf(key),
    ceiling: [...key.ceiling],
    test: key.isTest,
    version: key.version,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
  };
}
