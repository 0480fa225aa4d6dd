import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../../../api/access.ts';
import { usePermission } from '../../../../api/queries.ts';
import { t } from '../../../../texts/access.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { Choice } from '../../../../ui/choice.tsx';
import { ChangeDialog } from '../../changes/change-dialog.tsx';
import { Question } from '../../changes/question.tsx';
import { useChange } from '../../changes/use-change.ts';
import { DetailsSection } from '../../details/details.tsx';
import { type Group, useGroups } from '../../lists/short-lists.ts';
import type { PrincipalDetails } from '../people-queries.ts';
import styles from './principal-view.module.css';

const words = t.access.groupsOf;

type Membership = PrincipalDetails['groups'][number];

/** Shows the groups of a person; adds and removes them. */
export function PrincipalGroups({ details }: { details: PrincipalDetails }) {
  const mayChange = usePermission('groups:manage');
  const maySee = usePermission('groups:read');
  const [leaving, setLeaving] = useState<Membership | null>(null);
  const [isAdding, setAdding] = useState(false);
  return (
    <DetailsSection
      title={words.title}
      aside={
        mayChange &&
        maySee && (
          <Button variant="link" icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      }
    >
      {details.groups.length === 0 ? (
        <p className={styles['quiet']}>{words.none}</p>
      ) : (
        <ul className={styles['groups']}>
          {details.groups.map((membership) => (
            <li key={membership.membership_id} className={styles['group']}>
              <GroupName group={membership.group} maySee={maySee} />
              {!membership.group.enabled && <span className={styles['quiet']}>{words.off}</span>}
              {mayChange && (
                <IconButton
                  icon="close"
                  isSmall
                  label={words.remove(membership.group.name)}
                  onPress={() => setLeaving(membership)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {leaving && (
        <LeaveQuestion details={details} membership={leaving} onAnswered={() => setLeaving(null)} />
      )}
      {isAdding && <AddToGroup details={details} onClose={() => setAdding(false)} />}
    </DetailsSection>
  );
}

function GroupName({ group, maySee }: { group: Membership['group']; maySee: boolean }) {
  if (!maySee) return <span>{group.name}</span>;
  return (
    <Link to="/access/{-$part}/{-$id}" params={{ part: 'groups', id: group.id }}>
      {group.name}
    </Link>
  );
}

function LeaveQuestion(props: { details: PrincipalDetails; membership: Membership; onAnswered: () => void }) {
  const { details, membership, onAnswered } = props;
  const { name } = membership.group;
  // After another person's change the membership has a new version, or is gone.
  const now = details.groups.find((it) => it.membership_id === membership.membership_id) ?? membership;
  const leave = useChange(
    () =>
      access.groups.removeMember({
        params: { id: now.group.id, membership_id: now.membership_id },
        body: {
          membership_version: now.membership_version,
          group_version: now.group.version,
          expected_policy_version: details.policy_version,
        },
      }),
    onAnswered,
  );
  return (
    <Question
      title={words.removeTitle(details.user.display_name, name)}
      sentence={words.removeSentence(name)}
      yes={words.removeYes}
      no={t.access.person.keep}
      change={leave}
      onYes={() => leave.run(undefined)}
      onNo={onAnswered}
    />
  );
}

/** Dialog that adds the person to one of the groups they are not in yet. */
function AddToGroup({ details, onClose }: { details: PrincipalDetails; onClose: () => void }) {
  const { user } = details;
  const groups = useGroups();
  const [chosenId, choose] = useState<string | null>(null);
  const open = groups.items.filter(({ id }) => details.groups.every(({ group }) => group.id !== id));
  const chosen = open.find(({ id }) => id === chosenId);
  const add = useChange(
    (group: Group) =>
      access.groups.addMember({
        params: { id: group.id },
        body: {
          principal_id: user.id,
          principal_version: user.version,
          group_version: group.version,
          expected_policy_version: details.policy_version,
        },
      }),
    onClose,
  );
  return (
    <ChangeDialog
      title={words.addTitle(user.display_name)}
      submit={words.addYes}
      onSubmit={() => chosen && add.run(chosen)}
      onClose={onClose}
      change={add}
      missing={
        chosen
          ? null
          : !groups.isOpening && open.length === 0
            ? t.access.change.missing.noGroup
            : t.access.change.missing.group
      }
    >
      <p>{words.addSentence}</p>
      {!groups.isOpening && open.length === 0 ? (
        <p>{words.noGroups}</p>
      ) : (
        <Choice
          label={words.choose}
          placeholder={words.chooseHint}
          value={chosen?.id ?? null}
          onChange={choose}
          options={open.map(({ id, name, description, enabled }) => ({
            id,
            label: name,
            help: enabled ? description : words.off,
          }))}
        />
      )}
    </ChangeDialog>
  );
}
