import type { z } from 'zod';
import type { AccessPrincipalDetails, EffectivePermission } from '../../shared/api/access-people.ts';
import type { Principal } from './find-access.ts';
import { facts, table, terminal } from './terminal.ts';

type Details = z.infer<typeof AccessPrincipalDetails>;
type Effective = z.infer<typeof EffectivePermission>;

export const enabledOrNot = ({ enabled }: { enabled: boolean }) => (enabled ? 'enabled' : 'disabled');

export function peopleTable(people: readonly Principal[]): string {
  const rows = people.map((person) => [
    person.id,
    person.login,
    person.display_name,
    person.kind,
    enabledOrNot(person),
    person.two_factor ? 'yes' : 'no',
    person.last_seen_at,
  ]);
  return table(['ID', 'SIGN-IN NAME', 'NAME', 'KIND', 'STATE', 'SECOND FACTOR', 'LAST SEEN'], rows);
}

export function describePerson(person: Principal): string {
  return facts(factsOf(person));
}

/** Describes a person with their groups; `grants why` shows the permissions. */
export function describeDetails({ user, groups }: Details): string {
  const names = groups.map(({ group }) => (group.enabled ? group.name : `${group.name} (disabled)`));
  return facts([...factsOf(user), ['Groups', names.join(', ') || 'none']]);
}

function factsOf(person: Principal): (readonly [string, string | null])[] {
  const signsIn = [
    ['Sign-in name', person.login],
    ['Second factor', person.two_factor ? 'yes' : 'no'],
    ['PIN or card', person.quick_sign_in ? 'yes' : 'no'],
    ['Must change the password', person.password_change_required ? 'yes' : 'no'],
  ] as const;
  return [
    ['Id', person.id],
    ['Name', person.display_name],
    ['Kind', person.kind],
    ...(person.kind === 'user' ? signsIn : []),
    ['State', enabledOrNot(person)],
    ['Last seen', person.last_seen_at],
  ];
}

/** A temporary password for the person who hands it over. */
export function describePassword(user: Principal, temporaryPassword: string): string {
  return facts([
    ['Id', user.id],
    ['Sign-in name', user.login],
    ['Password for the first sign-in', temporaryPassword],
  ]);
}

export function printPasswordNotice(): void {
  terminal.note('It is shown only now, and must be changed at the first sign-in.');
}

/** Explains the grants of a person, by resource, and where each comes from. */
export function explainGrants({ user, effective }: Details): string {
  if (!user.enabled) return `${user.display_name} is disabled and has no permissions.`;
  if (effective.length === 0) return `${user.display_name} has no permissions, because they have no role.`;
  const rows = effective.map((each) => [each.permission, each.resource.name, reasonsOf(each)]);
  return table(['MAY', 'WHERE', 'BECAUSE'], rows);
}

function reasonsOf({ sources }: Effective): string {
  return sources
    .map(({ role, group }) =>
      group === null ? `has the role ${role.name}` : `the group ${group.name} has the role ${role.name}`,
    )
    .join('; ');
}
