import { useQuery } from '@tanstack/react-query';
import { KEY_STATES } from '../../../../shared/api/access-keys.ts';
import { INSTALLATION, type Permission } from '../../../../shared/permissions.ts';
import { documentOfResource } from '../../../../shared/resources.ts';
import { access } from '../../../api/access.ts';
import { usePermission } from '../../../api/queries.ts';
import { type FilterCodec, onlySet } from '../../../parts/lists/list-filter.ts';
import { type AccessPage, useAccessRows } from '../lists/access-rows.ts';

type KeyState = Key['state'];

export interface KeyFilter {
  /** Of one person or integration. */
  readonly of?: string;
  readonly state?: KeyState;
}

export const KEY_FILTER: FilterCodec<KeyFilter> = {
  fromAddress: ({ of, state }) => onlySet({ of, state: KEY_STATES.find((it) => it === state) }),
  toAddress: ({ of, state }) => onlySet({ of, state }),
};

type AccessKey = Awaited<ReturnType<typeof access.keys.listAccessKeys>>['items'][number];
export type Key = AccessKey & { readonly id: string };
export type CeilingEntry = AccessKey['ceiling'][number];

/** Props of every dialog about one key. */
export interface KeyChangeProps {
  readonly accessKey: Key;
  readonly policyVersion: number;
  readonly onClose: () => void;
}

/** A token that was made just now, and for which key. */
export interface NewToken {
  readonly keyId: string;
  readonly token: string;
}

export const useKeys = ({ of, state }: KeyFilter) =>
  useAccessRows({
    key: ['keys', of ?? null, state ?? null],
    read: async (page, signal): Promise<AccessPage<Key>> => {
      const query = { ...page, ...onlySet({ principal_id: of, state }) };
      const found = await access.keys.listAccessKeys({ query, signal });
      return { ...found, items: found.items.map((key) => ({ ...key, id: key.key_id })) };
    },
  });

/** Returns true when keys of an earlier release wait to be readmitted. */
export function useWaitingKeys(): boolean {
  const found = useQuery({
    queryKey: ['access', 'keys', 'waiting'],
    staleTime: 0,
    queryFn: ({ signal }) => access.keys.listAccessKeys({ query: { state: 'review', limit: 1 }, signal }),
  });
  return (found.data?.items.length ?? 0) > 0;
}

export interface Rights {
  readonly isEnabled: boolean;
  readonly mayDo: (permission: string, resourceId: string) => boolean;
  /** The same as entries of a ceiling. */
  readonly entries: readonly CeilingEntry[];
}

/** Returns the present rights of a principal; null while they load, or where this person may not see them. */
export function useRightsOf(id: string | undefined): Rights | null {
  const maySee = usePermission('users:read');
  const found = useQuery({
    queryKey: ['access', 'rights', id],
    enabled: maySee && id !== undefined,
    staleTime: 0,
    queryFn: ({ signal }) => access.people.getUser({ params: { id: id ?? '' }, signal }),
  }).data;
  if (!found || found.user.id !== id) return null;
  const { user, effective } = found;
  return {
    isEnabled: user.enabled,
    mayDo: (permission, resourceId) =>
      effective.some(
        (it) =>
          it.permission === permission &&
          // A right in its mailbox covers a document, but only the gateway has the mailbox of a document.
          ([INSTALLATION, resourceId].includes(it.resource.id) ||
            (documentOfResource(resourceId) !== null && it.resource.kind === 'mailbox')),
      ),
    entries: effective.map(({ permission, resource }) => ({ permission, resource_id: resource.id })),
  };
}

/** Rights of a key in one resource. */
interface ResourceRights {
  readonly resourceId: string;
  readonly permissions: readonly string[];
}

/** A ceiling by resource, everything first. */
export function byResource(ceiling: readonly CeilingEntry[]): readonly ResourceRights[] {
  const ids = [...new Set(ceiling.map((entry) => entry.resource_id))];
  ids.sort((a, b) => Number(b === INSTALLATION) - Number(a === INSTALLATION));
  return ids.map((resourceId) => ({
    resourceId,
    permissions: ceiling.filter((it) => it.resource_id === resourceId).map(({ permission }) => permission),
  }));
}

export function ceilingOf(
  resources: readonly { resourceId: string; permissions: ReadonlySet<Permission> }[],
) {
  return resources.flatMap(({ resourceId, permissions }) =>
    [...permissions].map((permission) => ({ permission, resource_id: resourceId })),
  );
}
