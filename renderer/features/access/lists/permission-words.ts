import { useQuery } from '@tanstack/react-query';
import { isPermission, PERMISSIONS, type Permission } from '../../../../shared/permissions.ts';
import { access } from '../../../api/access.ts';
import { t } from '../../../texts/access.ts';
import { formatCount } from '../../../ui/format.ts';

/** Describes a permission in words; one of another release is returned unchanged. */
export function permissionWords(permission: string): string {
  return isPermission(permission) ? PERMISSIONS[permission] : permission;
}

export interface PermissionGroup {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

/** All permissions in the groups and the order in which they are shown. */
export function usePermissionGroups(): readonly PermissionGroup[] {
  const found = useQuery({
    queryKey: ['permission-list'],
    queryFn: ({ signal }) => access.roles.listPermissions({ signal }),
  });
  const items = found.data?.items ?? [];
  return [...new Set(items.map(({ group }) => group))].map((name) => ({
    name,
    permissions: items.filter(({ group }) => group === name).map(({ permission }) => permission),
  }));
}

/** `Send faxes, See contacts and 4 more`; inside a sentence they begin small. */
export function permissionsInShort(permissions: readonly string[], most = 2, isInSentence = false): string {
  const words = permissions.map((permission) => {
    const text = permissionWords(permission);
    return isInSentence && isPermission(permission) ? lowered(text) : text;
  });
  if (words.length === 0) return t.access.role.nothing;
  if (words.length > most + 1)
    return t.access.role.andMore(words.slice(0, most).join(', '), formatCount(words.length - most));
  return t.access.role.list(words);
}

const lowered = (text: string) => text.charAt(0).toLocaleLowerCase() + text.slice(1);
