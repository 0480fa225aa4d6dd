import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { access } from '../../../api/access.ts';
import { useMe, usePermission } from '../../../api/queries.ts';
import { type Group, useGroups } from '../lists/short-lists.ts';

const MAX_RESULTS = 20;

/** Somebody or a group that a role or key can be given to. */
export interface Subject {
  readonly id: string;
  readonly what: 'user' | 'integration' | 'group';
  readonly name: string;
  readonly login: string | null;
  readonly enabled: boolean;
  readonly version: number;
}

type Principal = Awaited<ReturnType<typeof access.people.listUsers>>['items'][number];

export const principalSubject = (
  principal: Pick<Principal, 'id' | 'kind' | 'display_name' | 'login' | 'enabled' | 'version'>,
): Subject => ({
  id: principal.id,
  what: principal.kind === 'integration' ? 'integration' : 'user',
  name: principal.display_name,
  login: principal.login,
  enabled: principal.enabled,
  version: principal.version,
});

const groupSubject = ({ id, name, enabled, version }: Group): Subject => ({
  id,
  what: 'group',
  name,
  login: null,
  enabled,
  version,
});

/** Groups, people and integrations by a part of the name; without the right to see people only oneself. */
export function useSubjects(typed: string, withGroups: boolean): readonly Subject[] {
  const q = useDeferredValue(typed.trim());
  const maySeePeople = usePermission('users:read');
  const maySeeGroups = usePermission('groups:read') && withGroups;
  const me = useMe();
  const groups = useGroups(maySeeGroups).items;
  const people = useQuery({
    queryKey: ['access', 'subjects', q],
    enabled: maySeePeople,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      access.people.listUsers({ query: { kind: 'all', limit: MAX_RESULTS, ...(q && { q }) }, signal }),
  }).data?.items;
  const text = q.toLocaleLowerCase();
  const own = me && !maySeePeople && me.principal.kind !== 'bootstrap' ? [me.principal] : [];
  return [
    ...groups
      .filter(({ name }) => name.toLocaleLowerCase().includes(text))
      .slice(0, MAX_RESULTS)
      .map(groupSubject),
    ...(people ?? []).map(principalSubject),
    ...own.map(({ id, kind, display_name, version }) => ({
      id,
      what: kind === 'integration' ? ('integration' as const) : ('user' as const),
      name: display_name,
      login: null,
      enabled: true,
      version,
    })),
  ];
}

/** The chosen one as it is now: its version moves with every change of it. */
export function useFresh(subject: Subject | null): Subject | null {
  const maySeePeople = usePermission('users:read');
  const isGroup = subject?.what === 'group';
  const fresh = useQuery({
    queryKey: ['access', 'subject', subject?.what, subject?.id],
    enabled: subject !== null && (isGroup || maySeePeople),
    staleTime: 0,
    queryFn: ({ signal }) => readSubject(subject as Subject, signal),
  });
  return fresh.data?.id === subject?.id ? (fresh.data ?? subject) : subject;
}

async function readSubject(
  { what, id }: Pick<Subject, 'what' | 'id'>,
  signal: AbortSignal,
): Promise<Subject> {
  const call = { params: { id }, signal };
  if (what === 'group') return groupSubject((await access.groups.getGroup(call)).group);
  return principalSubject((await access.people.getUser(call)).user);
}

/** Returns the subject whose id is in the address, where the list does not contain its name. */
export function useSubjectOf(
  id: string | undefined,
  listed: Pick<Subject, 'what' | 'name'> | undefined,
): Pick<Subject, 'what' | 'name'> | null {
  const maySeePeople = usePermission('users:read');
  const maySeeGroups = usePermission('groups:read');
  const isUnknown = id !== undefined && listed === undefined;
  const groups = useGroups(maySeeGroups && isUnknown);
  const group = groups.items.find((it) => it.id === id);
  const isNoGroup = !maySeeGroups || (!groups.isOpening && !group);
  const person = useQuery({
    queryKey: ['access', 'subject', 'user', id],
    enabled: maySeePeople && isUnknown && isNoGroup,
    queryFn: ({ signal }) => readSubject({ what: 'user', id: id ?? '' }, signal),
  }).data;
  if (id === undefined) return null;
  return listed ?? (group && groupSubject(group)) ?? person ?? { what: 'user', name: id };
}
