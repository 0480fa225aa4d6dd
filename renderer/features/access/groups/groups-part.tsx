import { useState } from 'react';
import { access } from '../../../api/access.ts';
import { usePermission } from '../../../api/queries.ts';
import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatCount } from '../../../ui/format.ts';
import { AccessList } from '../lists/access-list.tsx';
import { useAccessRows } from '../lists/access-rows.ts';
import { ListCount } from '../lists/list-count.tsx';
import { NewButton } from '../lists/new-button.tsx';
import { OnOff } from '../lists/on-off.tsx';
import { PartPanes } from '../lists/part-panes.tsx';
import type { Group } from '../lists/short-lists.ts';
import type { PartProps } from '../part-names.ts';
import { useOpenDetails } from '../use-open-details.ts';
import { GroupForm } from './group-form.tsx';
import { GroupView } from './group-view.tsx';
import styles from './groups.module.css';

const words = t.access.group;

/** The groups as a list, and the one that is open beside it. */
export function GroupsPart({ id }: PartProps) {
  const pages = useAccessRows<Group>({
    key: ['groups', 'pages'],
    read: (query, signal) => access.groups.listGroups({ query, signal }),
  });
  const show = useOpenDetails('groups');
  const mayChange = usePermission('groups:manage');
  const [isNew, setNew] = useState(false);
  const details = id === undefined ? null : <GroupView key={id} id={id} onClose={() => show(undefined)} />;
  return (
    <PartPanes
      title={t.access.groups}
      count={<ListCount list={pages} />}
      actions={
        mayChange && (
          <NewButton
            part={t.access.groups}
            label={words.new}
            isReady={!pages.isOpening}
            onPress={() => setNew(true)}
          />
        )
      }
      details={details}
    >
      <AccessList
        label={words.list}
        list={pages}
        columns={COLUMNS}
        rowClassName={styles['cells']}
        openId={id}
        onShow={show}
        empty={
          <EmptyState icon="group" title={words.empty}>
            {words.emptySentence}
          </EmptyState>
        }
      />
      {isNew && (
        <GroupForm
          group={null}
          policyVersion={pages.policyVersion}
          onClose={() => setNew(false)}
          onDone={(group) => {
            setNew(false);
            show(group.id);
          }}
        />
      )}
    </PartPanes>
  );
}

const heads = t.access.columns;
const COLUMNS: readonly Column<Group>[] = [
  { id: 'name', head: heads.name, cell: ({ name }) => <span title={name}>{name}</span> },
  {
    id: 'description',
    head: heads.description,
    isQuiet: true,
    room: 'wide',
    cell: ({ description }) => <span title={description}>{description}</span>,
  },
  {
    id: 'members',
    head: heads.members,
    isQuiet: true,
    room: 'medium',
    cell: ({ member_count }) => formatCount(member_count),
  },
  { id: 'state', head: heads.state, cell: ({ enabled }) => <OnOff isOn={enabled} /> },
];
