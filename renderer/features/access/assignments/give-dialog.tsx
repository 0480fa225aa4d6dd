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
import { inEffectAt, type Place, placeName, usePlaces } from '../lists/places.ts';
import { type Role, useRoles } from '../lists/short-lists.ts';
import { type Subject, useFresh } from '../subjects/find-subjects.ts';
import { SubjectField } from '../subjects/subject-field.tsx';
import type { GrantFilter } from './grant-queries.ts';
import { meaningOf } from './grant-words.ts';

const words = t.access.grant;

/** Who, which role, where; and in one sentence what that means. */
export function GiveDialog(props: {
  policyVersion: number;
  /** What the list was filtered by is chosen already. */
  filter: GrantFilter;
  onClose: () => void;
  onDone: (id: string) => void;
}) {
  const { policyVersion, filter, onClose, onDone } = props;
  const roles = useRoles(usePermission('roles:read')).items;
  const places = usePlaces().filter(({ kind }) => kind !== 'legacy');
  const [subject, setSubject] = useState<Subject | null>(null);
  const [roleId, setRoleId] = useState<string | null>(filter.role ?? null);
  const [placeId, setPlaceId] = useState<string>(filter.on ?? INSTALLATION);
  const fresh = useFresh(subject);
  const role = roles.find(({ id }) => id === roleId);
  const place = places.find(({ id }) => id === placeId);
  const change = useGiving((id) => {
    announce(words.saidGiven);
    onDone(id);
  });
  return (
    <ChangeDialog
      title={words.newTitle}
      submit={words.give}
      change={change}
      isNotYet={!fresh || !role || !place}
      onSubmit={() => fresh && role && place && change.run({ subject: fresh, role, place, policyVersion })}
      onClose={onClose}
    >
      <SubjectField
        label={words.who}
        help={words.subjectHelp}
        withGroups
        autoFocus
        chosen={subject}
        onChoose={setSubject}
      />
      <Choice
        label={words.role}
        placeholder={words.choose}
        value={roleId}
        onChange={setRoleId}
        options={roles.map((it) => ({
          id: it.id,
          label: it.name,
          help: it.description || permissionsInShort(it.permissions),
        }))}
      />
      <Choice
        label={words.place}
        placeholder={words.choose}
        value={placeId}
        onChange={setPlaceId}
        options={places.map((it) => ({ id: it.id, label: placeName(it) }))}
      />
      {fresh && role && place && <Meaning subject={fresh} role={role} place={place} />}
    </ChangeDialog>
  );
}

function Meaning({ subject, role, place }: { subject: Subject; role: Role; place: Place }) {
  const isIdle = !role.enabled || inEffectAt(place.id, role.permissions).length === 0;
  return (
    <Notice tone={isIdle ? 'warn' : 'plain'} isLive title={words.meansTitle}>
      {meaningOf({ name: subject.name, isGroup: subject.what === 'group' }, role, place, 'later')}
      {!subject.enabled && ` ${words.subjectOff(subject.name)}`}
    </Notice>
  );
}

interface Given {
  readonly subject: Subject;
  readonly role: Role;
  readonly place: Place;
  readonly policyVersion: number;
}

function useGiving(onDone: (id: string) => void) {
  return useChange(
    ({ subject, role, place, policyVersion }: Given) =>
      access.assignments.createAssignment({
        body: {
          subject: {
            kind: subject.what === 'group' ? 'group' : 'principal',
            id: subject.id,
            version: subject.version,
          },
          role: { id: role.id, version: role.version },
          resource_id: place.id,
          expected_policy_version: policyVersion,
        },
      }),
    ({ assignment }) => onDone(assignment.id),
  );
}
