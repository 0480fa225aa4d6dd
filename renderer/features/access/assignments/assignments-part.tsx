import { useState } from 'react';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';
import { AccessList, type Column } from '../lists/access-list.tsx';
import { NewButton } from '../lists/new-button.tsx';
import { openDetails } from '../lists/open-details.tsx';
import { placeName } from '../lists/places.ts';
import { PartPanes } from '../part-panes.tsx';
import type { PartProps } from '../part-props.ts';
import { SubjectName } from '../subjects/subject-field.tsx';
import { useShow } from '../use-show.ts';
import { AssignmentDetails } from './assignment-details.tsx';
import styles from './assignments.module.css';
import { GiveDialog } from './give-dialog.tsx';
import { GrantFilters } from './grant-filters.tsx';
import { type Grant, type GrantFilter, useGrantFilter, useGrants } from './grant-queries.ts';
import { whatIs } from './grant-words.ts';

const words = t.access.grant;

/** Who was given which role where. */
export function AssignmentsPart({ id }: PartProps) {
  const { filter, setFilter } = useGrantFilter();
  const grants = useGrants(filter);
  const show = useShow('assignments');
  const mayGive = usePermission('grants:manage');
  const [isGiving, setGiving] = useState(false);
  const onClose = () => show(undefined);
  return (
    <PartPanes
      list={
        <Pane label={t.access.assignments}>
          <PaneHead title={t.access.assignments}>
            {mayGive && (
              <NewButton part={t.access.assignments} label={words.new} onPress={() => setGiving(true)} />
            )}
          </PaneHead>
          <GrantFilters filter={filter} onChange={setFilter} named={grants.items} />
          <AccessList
            label={t.access.assignments}
            pages={grants}
            columns={COLUMNS}
            rowClassName={styles['cells']}
            openId={id}
            onShow={show}
            blank={<NoGrants filter={filter} onAll={() => setFilter({})} />}
          />
          {isGiving && (
            <GiveDialog
              policyVersion={grants.policyVersion}
              filter={filter}
              onClose={() => setGiving(false)}
              onDone={(given) => {
                setGiving(false);
                show(given);
              }}
            />
          )}
        </Pane>
      }
      details={openDetails({ id, pages: grants, label: words.details, onClose }, (grant) => (
        <AssignmentDetails
          key={grant.id}
          assignment={grant}
          policyVersion={grants.policyVersion}
          onClose={onClose}
        />
      ))}
    />
  );
}

const COLUMNS: readonly Column<Grant>[] = [
  {
    id: 'who',
    head: words.who,
    cell: ({ subject }) => <SubjectName what={whatIs(subject)} name={subject.name} />,
  },
  { id: 'role', head: words.role, cell: ({ role }) => role.name },
  { id: 'place', head: words.place, isQuiet: true, cell: ({ resource }) => placeName(resource) },
  {
    id: 'since',
    head: words.since,
    isQuiet: true,
    room: 'wide',
    cell: ({ created_at }) => <span title={formatFully(created_at)}>{formatWhen(created_at)}</span>,
  },
];

function NoGrants({ filter, onAll }: { filter: GrantFilter; onAll: () => void }) {
  if (Object.keys(filter).length === 0)
    return (
      <EmptyState icon="access" title={words.empty}>
        {words.emptySentence}
      </EmptyState>
    );
  return (
    <EmptyState icon="search" title={words.noneFits} action={<Button onPress={onAll}>{words.clear}</Button>}>
      {words.noneFitsSentence}
    </EmptyState>
  );
}
