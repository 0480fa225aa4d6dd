import { useState } from 'react';
import { INSTALLATION } from '../../../../shared/permissions.ts';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Choice } from '../../../ui/choice.tsx';
import { meaningOf } from '../assignments/grant-words.ts';
import { permissionsInShort } from '../lists/permission-words.ts';
import { type Resource, useResources } from '../lists/resources.ts';
import { type Group, type Role, useGroups, useRoles } from '../lists/short-lists.ts';
import type { FirstAccess } from './create-principal.ts';

const words = t.access.person;
const NONE = 'none';

interface FirstAccessForm {
  readonly chosen: FirstAccess;
  readonly roles: readonly Role[];
  /** The whole installation and its mailboxes. */
  readonly resources: readonly Resource[];
  readonly resource: Resource | undefined;
  readonly role: Role | undefined;
  readonly groups: readonly Group[];
  readonly mayGive: boolean;
  readonly mayAdd: boolean;
  chooseRole(id: string): void;
  chooseResource(id: string): void;
  chooseGroup(id: string): void;
}

/** Returns the role, its mailbox and the group of a new person, as far as this administrator may give them. */
export function useFirstAccess(): FirstAccessForm {
  const maySeeRoles = usePermission('roles:read');
  const mayGive = usePermission('grants:manage') && maySeeRoles;
  const maySeeGroups = usePermission('groups:read');
  const mayAdd = usePermission('groups:manage') && maySeeGroups;
  const [roleId, chooseRole] = useState(NONE);
  const [resourceId, chooseResource] = useState<string>(INSTALLATION);
  const [groupId, chooseGroup] = useState(NONE);
  const roles = useRoles(mayGive).items.filter(({ enabled }) => enabled);
  const groups = useGroups(mayAdd).items;
  const resources = useResources().filter(({ kind }) => kind === 'installation' || kind === 'mailbox');
  const role = roles.find(({ id }) => id === roleId);
  const group = groups.find(({ id }) => id === groupId);
  return {
    chosen: { role: role ?? null, resourceId, group: group ?? null },
    roles,
    resources,
    resource: resources.find(({ id }) => id === resourceId),
    role,
    groups,
    mayGive,
    mayAdd,
    chooseRole,
    chooseResource,
    chooseGroup,
  };
}

/** Fields for the role, its mailbox and the group of the person with this name. */
export function FirstAccessFields({ form, name }: { form: FirstAccessForm; name: string }) {
  const { chosen, role, resource } = form;
  const who = { name: name.trim() || words.them, isGroup: false };
  return (
    <>
      {form.mayGive && (
        <Choice
          label={words.role}
          value={role?.id ?? NONE}
          onChange={form.chooseRole}
          options={[{ id: NONE, label: words.noRole }, ...form.roles.map(optionOf)]}
        />
      )}
      {role && resource && (
        <Choice
          label={words.mailbox}
          value={resource.id}
          onChange={form.chooseResource}
          options={form.resources.map(({ id, kind, name: label }) => ({
            id,
            label: kind === 'installation' ? words.allMailboxes : label,
          }))}
          help={meaningOf(who, role, resource, 'later')}
        />
      )}
      {form.mayAdd && form.groups.length > 0 && (
        <Choice
          label={words.group}
          value={chosen.group?.id ?? NONE}
          onChange={form.chooseGroup}
          help={words.groupHelp}
          options={[
            { id: NONE, label: words.noGroup },
            ...form.groups.map(({ id, name: label, description, enabled }) => ({
              id,
              label,
              help: enabled ? description : t.access.groupsOf.off,
            })),
          ]}
        />
      )}
    </>
  );
}

const optionOf = ({ id, name, description, permissions }: Role) => ({
  id,
  label: name,
  help: description || permissionsInShort(permissions),
});
