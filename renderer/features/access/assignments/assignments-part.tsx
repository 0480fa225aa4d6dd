import { useState } from 'react';
import { usePermission } from '../../../api/queries.ts';
import { useListFilter } from '../../../parts/lists/list-filter.ts';
import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access.ts';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import { ListPart } from '../lists/list-part.tsx';
import { NewButton } from '../lists/new-button.tsx';
import { NothingListed } from '../lists/nothing-listed.tsx';
import { resourceName } from '../lists/resources.ts';
import type { PartProps } from '../part-names.ts';
import { SubjectName } from '../subjects/subject-field.tsx';
import { useOpenDetails } from '../use-open-details.ts';
import { AssignmentDetails } from './assignment-details.tsx';
import styles from './assignments.module.css';
import { GiveDialog } from './give-dialog.tsx';
import { GrantFilters } from './grant-filters.tsx';
import { GRANT_FILTER, type Grant, useGrants } from './grant-queries.ts';
import { subjectKindText } from './grant-words.ts';

const words = t.access.grant;

/** Shows the list of grants: subject, role and resource. */
export function AssignmentsPart({ id }: PartProps) {
  const filtering = useListFilter(GRANT_FILTER);
  const { filter } = filtering;
  const grants = useGrants(filter);
  const show = useOpenDetails('assignments');
  const mayGive = usePermission('grants:manage');
  const [isGiving, setGiving] = useState(false);
  return (
    <ListPart
      part="assignments"
      id={id}
      title={t.access.assignments}
      actions={
        mayGive && <NewButton part={t.access.assignments} label={words.new} onPress={() => setGiving(true)} />
      }
      above={<GrantFilters {...filtering} named={grants.items} />}
      rows={grants}
      labels={{ list: t.access.assignments, details: words.details }}
      columns={COLUMNS}
      rowClassName={styles['cells']}
      empty={<NothingListed icon="access" words={words} filtering={filtering} />}
      details={(grant, onClose) => (
        <AssignmentDetails
          key={grant.id}
          assignment={grant}
          policyVersion={grants.policyVersion}
          onClose={onClose}
        />
      )}
    >
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
    </ListPart>
  );
}

const COLUMNS: readonly Column<Grant>[] = [
  {
    id: 'who',
    head: words.who,
    cell: ({ subject }) => <SubjectName what={subjectKindText(subject)} name={subject.name} />,
  },
  { id: 'role', head: words.role, cell: ({ role }) => role.name },
  { id: 'resource', head: words.resource, isQuiet: true, cell: ({ resource }) => resourceName(resource) },
  {
    id: 'since',
    head: words.since,
    isQuiet: true,
    room: 'wide',
    cell: ({ created_at }) => <span title={formatFully(created_at)}>{formatWhen(created_at)}</span>,
  },
];
