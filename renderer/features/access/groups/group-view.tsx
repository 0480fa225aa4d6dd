import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../../api/access.ts';
import { usePermission } from '../../../api/queries.ts';
import { isStatus } from '../../../api/sentence.ts';
import { ListOpening } from '../../../parts/lists/list-state.tsx';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Pane } from '../../../ui/pane.tsx';
import { Question } from '../changes/question.tsx';
import { useChange } from '../changes/use-change.ts';
import { Details, DetailsLine, DetailsSection, DetailsTop } from '../details/details.tsx';
import { useAccessRows } from '../lists/access-rows.ts';
import { MissingEntry } from '../lists/missing-entry.tsx';
import { OnOff } from '../lists/on-off.tsx';
import { resourceName } from '../lists/resources.ts';
import type { Group } from '../lists/short-lists.ts';
import { GroupForm } from './group-form.tsx';
import { expectedVersions, type GroupDetails, groupQuery } from './group-queries.ts';
import styles from './groups.module.css';
import { Members } from './members.tsx';

const words = t.access.group;

/** Details of a group beside the list: its members and their roles. */
export function GroupView({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useQuery(groupQuery(id));
  if (found.data) return <GroupBody details={found.data} onClose={onClose} />;
  if (isStatus(found.error, 404)) return <MissingEntry label={words.details} onClose={onClose} />;
  return (
    <Pane as="aside" label={words.details}>
      <ListOpening error={found.error} retry={() => void found.refetch()} />
    </Pane>
  );
}

function GroupBody({ details, onClose }: { details: GroupDetails; onClose: () => void }) {
  const { group } = details;
  const mayChange = usePermission('groups:manage');
  const maySeeGrants = usePermission('grants:read');
  const [open, setOpen] = useState<'form' | 'question' | null>(null);
  const close = () => setOpen(null);
  return (
    <Details
      label={words.details}
      title={group.name}
      facts={
        <>
          <OnOff isOn={group.enabled} />
          <span>{words.members(formatCount(group.member_count))}</span>
        </>
      }
      onClose={onClose}
    >
      <DetailsTop>
        {mayChange && (
          <DetailsLine>
            <Button onPress={() => setOpen('form')}>{words.edit}</Button>
            <Button onPress={() => setOpen('question')}>
              {group.enabled ? t.access.askDisable : t.access.askEnable}
            </Button>
          </DetailsLine>
        )}
        {open === 'question' && <EnableQuestion details={details} onAnswered={close} />}
        {group.description !== '' && <p className={styles['quiet']}>{group.description}</p>}
        {!group.enabled && <Notice tone="plain">{words.off}</Notice>}
      </DetailsTop>
      <Members details={details} />
      {maySeeGrants && <GroupRoles group={group} />}
      {open === 'form' && (
        <GroupForm group={group} policyVersion={details.policy_version} onClose={close} onDone={close} />
      )}
    </Details>
  );
}

function EnableQuestion({ details, onAnswered }: { details: GroupDetails; onAnswered: () => void }) {
  const { name, enabled } = details.group;
  // The words keep the state from before the change, which the page shows before the question closes.
  const [wasEnabled] = useState(enabled);
  const { params, body } = expectedVersions(details);
  const change = useChange(
    () => access.groups.changeGroup({ params, body: { ...body, enabled: !wasEnabled } }),
    onAnswered,
  );
  return (
    <Question
      title={(wasEnabled ? words.disableTitle : words.enableTitle)(name)}
      sentence={wasEnabled ? words.disableSentence : words.enableSentence}
      yes={wasEnabled ? t.access.disable : t.access.enable}
      no={words.keep}
      change={change}
      onYes={() => change.run(undefined)}
      onNo={onAnswered}
    />
  );
}

/** The roles of a group, each with its resource. */
function GroupRoles({ group }: { group: Group }) {
  const grants = useAccessRows({
    isShort: true,
    key: ['assignments', 'of', group.id],
    read: (query, signal) =>
      access.assignments.listAssignments({ query: { subject_id: group.id, ...query }, signal }),
  });
  return (
    <DetailsSection
      title={words.roles}
      aside={
        <Link
          to="/access/{-$part}/{-$id}"
          params={{ part: 'assignments', id: undefined }}
          search={{ of: group.id }}
        >
          {words.showRights}
        </Link>
      }
    >
      {!grants.isOpening && grants.items.length === 0 && <p className={styles['quiet']}>{words.noRoles}</p>}
      <ul>
        {grants.items.map(({ id, role, resource }) => (
          <li key={id}>{words.roleOn(role.name, resourceName(resource))}</li>
        ))}
      </ul>
    </DetailsSection>
  );
}
