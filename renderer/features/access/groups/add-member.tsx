import { useState } from 'react';
import { access } from '../../../api/access.ts';
import { t } from '../../../texts/access.ts';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import { type Subject, useFresh } from '../subjects/find-subjects.ts';
import { SubjectField } from '../subjects/subject-field.tsx';
import type { GroupDetails } from './group-queries.ts';
import styles from './groups.module.css';

const words = t.access.group;

/** Finds a person or an integration and puts them into the group. */
export function AddMember({ whole, onClose }: { whole: GroupDetails; onClose: () => void }) {
  const { group, members, policy_version } = whole;
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
      isNotYet={fresh === null || isIn}
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
      {isIn && (
        <p className={styles['quiet']} role="status">
          {words.isIn}
        </p>
      )}
    </ChangeDialog>
  );
}
