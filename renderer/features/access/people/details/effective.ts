import type { Permission } from '../../../../../shared/permissions.ts';
import { ALL_PERMISSIONS } from '../../../../../shared/permissions.ts';
import { t } from '../../../../texts/access.ts';
import { permissionWords } from '../../lists/permission-words.ts';
import type { PrincipalDetails } from '../people-queries.ts';

const words = t.access.why;

export type Effective = PrincipalDetails['effective'][number];
type Resource = Effective['resource'];
type Source = Effective['sources'][number];

interface ResourceGroup {
  readonly id: string;
  readonly title: string;
  readonly items: readonly Effective[];
}

/** Groups the effective permissions by resource, the installation first, in the order of the permissions. */
export function byResource(effective: readonly Effective[]): readonly ResourceGroup[] {
  const ids = [...new Set(effective.map(({ resource }) => resource.id))];
  const groups = ids.map((id) => {
    const items = effective.filter(({ resource }) => resource.id === id);
    const sorted = items.toSorted((a, b) => orderOf(a.permission) - orderOf(b.permission));
    const [first] = sorted;
    return { id, title: first ? titleOf(first.resource) : id, items: sorted };
  });
  return groups.toSorted((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title));
}

const orderOf = (permission: Permission) => ALL_PERMISSIONS.indexOf(permission);
const rank = ({ id }: ResourceGroup) => (id === 'installation' ? 0 : 1);

function titleOf({ kind, name }: Resource): string {
  if (kind === 'installation') return words.everywhere;
  return kind === 'mailbox' ? words.mailbox(name) : name;
}

/** "Through role Fax Operator, given to group Front desk on mailbox Referrals" */
export function sourceWords({ role, group }: Source, { kind, name }: Resource): string {
  const resource = kind === 'installation' ? words.resources.installation : words.resources[kind](name);
  return group === null ? words.direct(role.name, resource) : words.byGroup(role.name, group.name, resource);
}

/** Returns the permissions held on no resource, for the question why a person may not do something. */
export function notAllowed(effective: readonly Effective[]): readonly Permission[] {
  const held = new Set(effective.map(({ permission }) => permission));
  return ALL_PERMISSIONS.filter((permission) => !held.has(permission));
}

/** Returns true when the search text occurs in the words of the permission or of its sources. */
export function matchesText(item: Effective, text: string): boolean {
  const all = [permissionWords(item.permission), ...item.sources.map((it) => sourceWords(it, item.resource))];
  return all.some((it) => it.toLocaleLowerCase().includes(text.toLocaleLowerCase()));
}
