import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { hasEffectOn, isPermission } from '../../../../shared/permissions.ts';
import { access } from '../../../api/access.ts';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { formatFully } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Question } from '../changes/question.tsx';
import { useChange } from '../changes/use-change.ts';
import { Details, DetailsFacts, DetailsLine, DetailsSection, DetailsTop } from '../details/details.tsx';
import { resourceName } from '../lists/resources.ts';
import { type Role, useRoles } from '../lists/short-lists.ts';
import { PermissionList } from '../roles/permission-list.tsx';
import type { Grant } from './grant-queries.ts';
import { meaningOf, subjectKindText } from './grant-words.ts';

const words = t.access.grant;

/** Shows the permissions of one grant, and removes it. */
export function AssignmentDetails(props: { assignment: Grant; policyVersion: number; onClose: () => void }) {
  const { assignment, policyVersion, onClose } = props;
  const { subject, role, resource } = assignment;
  const mayChange = usePermission('grants:manage');
  const found = useRoles(usePermission('roles:read')).items.find(({ id }) => id === role.id);
  const [isAsked, setAsked] = useState(false);
  const where = resourceName(resource);
  return (
    <Details
      label={words.details}
      title={words.title(role.name, subject.name)}
      facts={where}
      close={t.access.rows.close}
      onClose={onClose}
    >
      <DetailsTop>
        {found && (
          <p>
            {meaningOf({ name: subject.name, isGroup: subject.kind === 'group' }, found, resource, 'now')}
          </p>
        )}
        {mayChange && !isAsked && (
          <DetailsLine>
            <Button onPress={() => setAsked(true)}>{words.take}</Button>
          </DetailsLine>
        )}
        {isAsked && (
          <TakeQuestion
            assignment={assignment}
            policyVersion={policyVersion}
            onKeep={() => setAsked(false)}
            onTaken={onClose}
          />
        )}
      </DetailsTop>
      <DetailsSection title={words.facts}>
        <DetailsFacts
          facts={[
            [words.who, <SubjectLink key="who" subject={subject} />],
            [words.role, <RoleLink key="role" role={role} />],
            [words.resource, where],
            [words.since, formatFully(assignment.created_at)],
          ]}
        />
      </DetailsSection>
      {found && <AllowedPermissions role={found} resourceId={resource.id} />}
    </Details>
  );
}

function TakeQuestion(props: {
  assignment: Grant;
  policyVersion: number;
  onKeep: () => void;
  onTaken: () => void;
}) {
  const { assignment, policyVersion, onKeep, onTaken } = props;
  const taking = useChange(
    () =>
      access.assignments.removeAssignment({
        params: { id: assignment.id },
        body: { version: assignment.version, expected_policy_version: policyVersion },
      }),
    () => {
      announce(words.saidTaken);
      onTaken();
    },
  );
  return (
    <Question
      title={words.takeTitle(assignment.role.name, assignment.subject.name)}
      sentence={words.takeSentence(resourceName(assignment.resource))}
      yes={words.takeYes}
      no={words.keep}
      change={taking}
      onYes={() => taking.run(undefined)}
      onNo={onKeep}
    />
  );
}

const PARTS = { user: 'people', integration: 'integrations', group: 'groups' } as const;

function SubjectLink({ subject }: { subject: Grant['subject'] }) {
  const what = subjectKindText(subject);
  const maySee = usePermission(what === 'group' ? 'groups:read' : 'users:read');
  if (!maySee) return subject.name;
  return (
    <Link to="/access/{-$part}/{-$id}" params={{ part: PARTS[what], id: subject.id }}>
      {subject.name}
    </Link>
  );
}

function RoleLink({ role }: { role: Grant['role'] }) {
  if (!usePermission('roles:read')) return role.name;
  return (
    <Link to="/access/{-$part}/{-$id}" params={{ part: 'roles', id: role.id }}>
      {role.name}
    </Link>
  );
}

function AllowedPermissions({ role, resourceId }: { role: Role; resourceId: string }) {
  const why = (permission: string) =>
    isPermission(permission) && hasEffectOn(permission, resourceId) ? null : words.notThere;
  return (
    <DetailsSection title={words.allOf}>
      <PermissionList permissions={role.permissions} why={why} />
    </DetailsSection>
  );
}
