import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../../api/access.ts';
import { useMe, usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { PersonMark } from '../../../ui/person.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { Question } from '../changes/question.tsx';
import { useChange } from '../changes/use-change.ts';
import { DetailsSection } from '../details/details.tsx';
import { type Subject, useFresh } from '../subjects/find-subjects.ts';
import { SubjectField } from '../subjects/subject-field.tsx';
import type { GroupDetails, Member } from './group-queries.ts';
import styles from './groups.module.css';

const words = t.access.group;

/** Shows the members of a group; adds and removes them. */
export function Members({ details }: { details: GroupDetails }) {
  const mayChange = usePermission('groups:manage');
  const maySee = usePermission('users:read');
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [isAdding, setAdding] = useState(false);
  const add = mayChange && maySee && (
    <Button variant="link" icon="add-person" onPress={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <DetailsSection title={words.memberTitle} aside={add}>
      {details.members.length === 0 && <p className={styles['quiet']}>{words.noMembers}</p>}
      {leaving && <LeaveQuestion details={details} member={leaving} onAnswered={() => setLeaving(null)} />}
      <ul className={styles['members']}>
        {details.members.map((member) => (
          <li key={member.id} className={styles['member']}>
            <MemberName member={member} maySee={maySee} />
            {mayChange && (
              <IconButton
                icon="close"
                isSmall
                label={words.remove(member.principal.display_name)}
                onPress={() => setLeaving(member)}
              />
            )}
          </li>
        ))}
      </ul>
      {isAdding && <AddMember details={details} onClose={() => setAdding(false)} />}
    </DetailsSection>
  );
}

function MemberName({ member: { principal }, maySee }: { member: Member; maySee: boolean }) {
  const { id, kind, display_name, enabled } = principal;
  const isMe = useMe()?.principal.id === id;
  const name = isMe ? t.ui.you(display_name) : display_name;
  const part = kind === 'integration' ? 'integrations' : 'people';
  const notes = [...(kind === 'integration' ? [words.integration] : []), ...(enabled ? [] : [words.isOff])];
  return (
    <span className={styles['who']}>
      <span aria-hidden="true">
        <PersonMark name={display_name} isMe={isMe} />
      </span>
      {maySee ? (
        <Link to="/access/{-$part}/{-$id}" params={{ part, id }}>
          {name}
        </Link>
      ) : (
        name
      )}
      {notes.length > 0 && <span className={styles['quiet']}>{notes.join(', ')}</span>}
    </span>
  );
}

function LeaveQuestion(props: { details: GroupDetails; member: Member; onAnswered: () => void }) {
  const { details, member, onAnswered } = props;
  // After another person's change the membership has a new version, or is gone.
  const now = details.members.find(({ id }) => id === member.id) ?? member;
  const leave = useChange(
    () =>
      access.groups.removeMember({
        params: { id: details.group.id, membership_id: now.id },
        body: {
          membership_version: now.version,
          group_version: details.group.version,
          expected_policy_version: details.policy_version,
        },
      }),
    onAnswered,
  );
  return (
    <Question
      title={words.removeTitle(now.principal.display_name, details.group.name)}
      sentence={words.removeSentence(details.group.name)}
      yes={words.removeYes}
      no={words.keep}
      change={leave}
      onYes={() => leave.run(undefined)}
      onNo={onAnswered}
    />
  );
}

/** Finds a person or an integration and puts them into the group. */
function AddMember({ details, onClose }: { details: GroupDetails; onClose: () => void }) {
  const { group, members, policy_version } = details;
  const [chosen, choose] = useState<Subject | null>(null);
  const fresh = useFresh(chosen);
  const isIn = members.some(({ principal }) => principal.id === chosen?.id);
  const add = useChange(
    (subject: Subject) =>
      access.groups.addMember({
        params: { id: group.id },
        body: {
          principal_id: subject.id,
          principal_version: subject.version,
          group_version: group.version,
          expected_policy_version: policy_version,
        },
      }),
    onClose,
  );
  return (
    <ChangeDialog
      title={words.addTitle(group.name)}
      submit={words.addYes}
      onSubmit={() => fresh && add.run(fresh)}
      onClose={onClose}
      change={add}
      missing={isIn ? words.isIn : fresh === null ? t.access.change.missing.member : null}
    >
      <p className={styles['quiet']}>{words.addSentence(group.name)}</p>
      <SubjectField
        label={words.search}
        withGroups={false}
        autoFocus
        chosen={fresh}
        onChoose={(subject) => {
          choose(subject);
          add.forget();
        }}
      />
    </ChangeDialog>
  );
}
