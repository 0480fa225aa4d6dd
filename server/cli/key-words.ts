import type { z } from 'zod';
import type { AccessKey } from '../../shared/api/access-keys.ts';
import type { CeilingEntry } from '../../shared/api/access-values.ts';
import type { Client } from '../../shared/client/index.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { INSTALLATION } from '../../shared/permissions.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import type { Found } from './find-access.ts';
import { readAllPages } from './paging.ts';
import { facts, table } from './terminal.ts';

export type Key = z.infer<typeof AccessKey>;
type Ceiling = z.infer<typeof CeilingEntry>[];

/** `fax:send` is on everything, `inbound:list@mailbox:<id>` on one resource. */
export function ceilingOf(scopes: readonly string[]): Ceiling {
  return scopes.map((scope) => {
    const [permission = '', resource_id = INSTALLATION] = scope.split('@');
    return { permission, resource_id };
  });
}

function scopesOf(ceiling: Ceiling): string {
  return ceiling
    .map(({ permission, resource_id: resource }) =>
      resource === INSTALLATION ? permission : `${permission}@${resource}`,
    )
    .join(' ');
}

function makerOf({ made_by, stops_at }: Key): string {
  return stops_at === null ? made_by.display_name : `${made_by.display_name} (disabled; stops ${stops_at})`;
}

function stateWords({ state, test, principal }: Key): string {
  const words = test ? `${state}, test` : state;
  return principal.enabled ? words : `${words} (owner disabled)`;
}

export function keyTable(keys: readonly Key[]): string {
  const rows = keys.map((key) => [
    key.key_id,
    key.name,
    key.principal.display_name,
    stateWords(key),
    makerOf(key),
    scopesOf(key.ceiling),
    key.expires_at,
    key.last_used_at,
  ]);
  return table(['KEY', 'NAME', 'BELONGS TO', 'STATE', 'MADE BY', 'MAY', 'EXPIRES', 'LAST USED'], rows);
}

export function describeKey(key: Key): string {
  return facts([
    ['Key', key.key_id],
    ['Name', key.name],
    ['Belongs to', `${key.principal.display_name} (${key.principal.id})`],
    ['State', key.state],
    ...(key.test ? [['Test key', 'yes: nothing that it sends is handed to anyone'] as const] : []),
    ['Created by', makerOf(key)],
    ['Permissions', scopesOf(key.ceiling)],
    ['Expires', key.expires_at],
  ]);
}

export function describeToken(key: { key_id: string; token: string }): string {
  return facts([
    ['Key', key.key_id],
    ['Token', key.token],
  ]);
}

/** A key as it stands, with the versions that a change sends back. */
export async function findKey({ keys }: Client, keyId: string): Promise<Found<Key>> {
  const { items, policy_version } = await readAllPages((query) => keys.listAccessKeys({ query }));
  const item = items.find((each) => each.key_id === keyId);
  if (!item) throw new CommandFailure(ERRORS.no_such_key.sentence, EXIT.notFound);
  return { item, versions: { version: item.version, expected_policy_version: policy_version } };
}
