import type { z } from 'zod';
import type { EffectivePermission as Effective } from '../../../../shared/api/access-people.ts';
import {
  ALL_PERMISSIONS,
  hasEffectOn,
  INSTALLATION,
  isPermission,
  type Permission,
} from '../../../../shared/permissions.ts';
import type { ReadDb } from '../../../db/database.ts';
import type { Resources } from '../resources.ts';
import { type GrantSource, grantSources } from '../store/grants.ts';

export type EffectivePermission = z.infer<typeof Effective>;

/**
 * Lists the present permissions of a principal by resource, with every assignment they come from. In the order of the
 * permissions, those on the installation first.
 */
export async function effectivePermissions(
  db: ReadDb,
  resources: Resources,
  principalId: string,
): Promise<EffectivePermission[]> {
  const sources = await grantSources(db, principalId);
  const named = await resources.name(db, [...new Set(sources.map((source) => source.resource_id))]);
  const found = new Map<string, EffectivePermission>();
  for (const source of sources) {
    const { permission, resource_id } = source;
    const resource = named.get(resource_id);
    if (!resource || !isPermission(permission) || !hasEffectOn(permission, resource_id)) continue;
    const key = `${permission} ${resource_id}`;
    const entry = found.get(key) ?? { permission, resource, sources: [] };
    entry.sources.push(sourceAnswer(source));
    found.set(key, entry);
  }
  return [...found.values()].sort(inOrder);
}

function sourceAnswer(source: GrantSource): EffectivePermission['sources'][number] {
  const { group_id: groupId, group_name: groupName } = source;
  return {
    assignment_id: source.assignment_id,
    role: { id: source.role_id, name: source.role_name },
    group: groupId === null || groupName === null ? null : { id: groupId, name: groupName },
  };
}

const orderOf = (permission: Permission) => ALL_PERMISSIONS.indexOf(permission);
const widthOf = ({ resource }: EffectivePermission) => (resource.id === INSTALLATION ? 0 : 1);

function inOrder(a: EffectivePermission, b: EffectivePermission): number {
  return (
    orderOf(a.permission) - orderOf(b.permission) ||
    widthOf(a) - widthOf(b) ||
    a.resource.name.localeCompare(b.resource.name, 'en')
  );
}
