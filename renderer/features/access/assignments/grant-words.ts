import { INSTALLATION } from '../../../../shared/permissions.ts';
import type { PrincipalKind } from '../../../../shared/states/access.ts';
import { t } from '../../../texts/access.ts';
import { permissionsInShort } from '../lists/permission-words.ts';
import { effectivePermissions, type Resource, resourceName } from '../lists/resources.ts';
import type { Role } from '../lists/short-lists.ts';
import type { Subject } from '../subjects/find-subjects.ts';

const words = t.access.grant;
const NAMED = 3;

/** Of whom a grant is. */
export function subjectKindText(subject: {
  kind: 'principal' | 'group';
  principal_kind: PrincipalKind | null;
}): Subject['what'] {
  if (subject.kind === 'group') return 'group';
  return subject.principal_kind === 'integration' ? 'integration' : 'user';
}

/** Returns a sentence on what a role on a resource allows the subject. */
export function meaningOf(
  who: { name: string; isGroup: boolean },
  role: Role,
  resource: Resource,
  when: 'now' | 'later',
): string {
  if (!role.enabled) return words.meansOff(role.name);
  const permissions = effectivePermissions(resource.id, role.permissions);
  if (permissions.length === 0) return words.meansNothing(role.name);
  const subject = who.isGroup ? words.everybodyIn(who.name) : who.name;
  const what = permissionsInShort(permissions.map(String), NAMED, true);
  const there = resource.id === INSTALLATION ? null : resourceName(resource);
  if (there === null) return words.means[when](subject, what);
  return words.meansThere[when](subject, what, there);
}
