import { useQuery } from '@tanstack/react-query';
import { hasEffectOn, INSTALLATION, type Permission } from '../../../../shared/permissions.ts';
import { mailboxOfResource, mailboxResource } from '../../../../shared/resources.ts';
import { access } from '../../../api/access.ts';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';

export interface Resource {
  readonly id: string;
  readonly kind: 'installation' | 'mailbox' | 'inbound' | 'legacy';
  readonly name: string;
}

const words = t.access.resource;

/** A resource in running text: `Everything`, `Mailbox Referrals`. */
export function resourceName({ kind, name }: Resource): string {
  if (kind === 'installation') return words.everything;
  return kind === 'mailbox' ? words.mailbox(name) : name;
}

/** Returns the resources for roles and keys that the person may see, the whole installation first. */
export function useResources(): readonly Resource[] {
  const maySeeGrants = usePermission('grants:read');
  const maySeeMailboxes = usePermission('mailboxes:read');
  const resources = useQuery({
    queryKey: ['access', 'resources'],
    enabled: maySeeGrants,
    queryFn: ({ signal }) => access.assignments.listResources({ query: {}, signal }),
  });
  const mailboxes = useQuery({
    queryKey: ['access', 'mailboxes', 'names'],
    enabled: !maySeeGrants && maySeeMailboxes,
    queryFn: ({ signal }) => access.mailboxes.listMailboxes({ query: { limit: 200 }, signal }),
  });
  if (resources.data) return resources.data.items;
  const boxes = mailboxes.data?.items ?? [];
  return [
    { id: INSTALLATION, kind: 'installation', name: words.everything },
    ...boxes.map(({ id, label }) => ({ id: mailboxResource(id), kind: 'mailbox' as const, name: label })),
  ];
}

/** Names resources by id, also those that the person may not list. */
export function useResourceNames(): (id: string) => string {
  const resources = useResources();
  return (id) => {
    const known = resources.find((resource) => resource.id === id);
    if (known) return resourceName(known);
    if (id === INSTALLATION) return words.everything;
    return mailboxOfResource(id) !== null ? words.oneMailbox : words.oneFax;
  };
}

/** Returns the permissions that have an effect on the resource: most apply to the installation only. */
export function effectivePermissions(
  resourceId: string,
  permissions: readonly Permission[],
): readonly Permission[] {
  return permissions.filter((permission) => hasEffectOn(permission, resourceId));
}
