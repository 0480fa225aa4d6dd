import { useState } from 'react';
import { INSTALLATION } from '../../../../shared/permissions.ts';
import { access } from '../../../api/access.ts';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Choice } from '../../../ui/choice.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import { permissionsInShort } from '../lists/permission-words.ts';
import { effectivePermissions, type Resource, resourceName, useResources } from '../lists/resources.ts';
import { type Role, useRoles } from '../lists/short-lists.ts';
import { type Subject, useFresh } from '../subjects/find-subjects.ts';
import { SubjectField } from '../subjects/subject-field.tsx';
import type { GrantFilter } from './grant-queries.ts';
import { meaningOf } from './grant-words.ts';

const words = t.access.grant;
const { missing } = t.access.change;

/** Dialog that gives a role to a subject on a resource, with the effect in one sentence. */
export function GiveDialog(props: {
  policyVersion: number;
  /** Filter of the list; its values are preselected. */
  filter: GrantFilter;
  /** Preselected subject. */
  subject?: Subject;
  onClose: () => void;
  onDone: (id: string) => void;
}) {
  const { policyVersion, filter, onClose, onDone } = props;
  const roles = useRoles(usePermission('roles:read')).items;
  const resources = useResources().filter(({ kind }) => kind !== 'legacy');
  const [subject, setSubject] = useState<Subject | null>(props.subject ?? null);
  const [roleId, setRoleId] = useState<string | null>(filter.role ?? null);
  const [resourceId, setResourceId] = useState<string>(filter.on ?? INSTALLATION);
  const fresh = useFresh(subject);
  const role = roles.find(({ id }) => id === roleId);
  const resource = resources.find(({ id }) => id === resourceId);
  const given = fresh && role && resource && { subject: fresh, role, resource };
  const change = useAssignRole((id) => {
    announce(words.saidGiven);
    onDone(id);
  });
  return (
    <ChangeDialog
      title={words.newTitle}
      submit={words.give}
      change={change}
      missing={given ? null : !fresh ? missing.subject : role ? missing.resource : missing.role}
      onSubmit={() => given && change.run({ ...given, policyVersion })}
      onClose={onClose}
    >
      <SubjectField
        label={words.who}
        help={words.subjectHelp}
        withGroups
        autoFocus={props.subject === undefined}
        chosen={subject}
        onChoose={setSubject}
      />
      <Choice
        label={words.role}
        placeholder={words.choose}
        value={roleId}
        onChange={setRoleId}
        options={roles.map(optionOf)}
      />
      <Choice
        label={words.resource}
        placeholder={words.choose}
        value={resourceId}
        onChange={setResourceId}
        options={resources.map((it) => ({ id: it.id, label: resourceName(it) }))}
      />
      {given && <Meaning {...given} />}
    </ChangeDialog>
  );
}

const optionOf = ({ id, name, description, permissions }: Role) => ({
  id,
  label: name,
  help: description || permissionsInShort(permissions),
});

function Meaning({ subject, role, resource }: { subject: Subject; role: Role; resource: Resource }) {
  const isIdle = !role.enabled || effectivePermissions(resource.id, role.permissions).length === 0;
  return (
    <Notice tone={isIdle ? 'warn' : 'plain'} isLive title={words.meansTitle}>
      {meaningOf({ name: subject.name, isGroup: subject.what === 'group' }, role, resource, 'later')}
      {!subject.enabled && ` ${words.subjectOff(subject.name)}`}
    </Notice>
  );
}

interface GivenRole {
  readonly subject: Subject;
  readonly role: Role;
  readonly resource: Resource;
  readonly policyVersion: number;
}

function useAssignRole(onDone: (id: string) => void) {
  return useChange(
    ({ subject, role, resource, policyVersion }: GivenRole) =>
      access.assignments.createAssignment({
        body: {
          subject: {
            kind: subject.what === 'group' ? 'group' : 'principal',
            id: subject.id,
            version: subject.version,
          },
          role: { id: role.id, version: role.version },
          resource_id: resource.id,
          expected_policy_version: policyVersion,
        },
      }),
    ({ assignment }) => onDone(assignment.id),
  );
}
