import { AUDIT_OPERATIONS, DOCUMENT_OPERATIONS } from '../../../../shared/audit-operations.ts';
import { usePermission } from '../../../api/queries.ts';
import { FilterBar, FilterField } from '../../../parts/lists/filter-bar.tsx';
import { t } from '../../../texts/access.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { DateFilter } from '../../../ui/date-filter.tsx';
import { useSubjectOf } from '../subjects/find-subjects.ts';
import { SubjectField } from '../subjects/subject-field.tsx';
import type { AuditFilter } from './audit-filter.ts';
import type { AuditEvent } from './event-words.ts';

const words = t.access.event;
const ANY = 'any';

/** Filters the audit events by actor, action, time and outcome. */
export function AuditFilters(props: {
  filter: AuditFilter;
  setFilter: (filter: AuditFilter) => void;
  isFiltered: boolean;
  clear: () => void;
  /** Listed events, which contain the names already. */
  named: readonly AuditEvent[];
}) {
  const { filter, setFilter, isFiltered, clear, named } = props;
  const maySeePeople = usePermission('users:read');
  const actor = named.find(({ actor: { id } }) => id === filter.who)?.actor;
  const chosen = useSubjectOf(filter.who || undefined, actor && { what: 'user', name: actor.name });
  const known = [
    { id: DOCUMENT_OPERATIONS.join(','), label: words.anyDocument },
    ...Object.entries(AUDIT_OPERATIONS).map(([id, label]) => ({ id, label })),
  ];
  const isKnown = filter.what === '' || known.some(({ id }) => id === filter.what);
  const other = isKnown ? [] : [{ id: filter.what, label: filter.what }];
  return (
    <FilterBar label={words.filters} clear={{ label: words.all, isOffered: isFiltered, onPress: clear }}>
      {(maySeePeople || chosen) && (
        <FilterField>
          <SubjectField
            label={words.who}
            isLabelHidden
            withGroups={false}
            chosen={chosen}
            onChoose={(subject) => setFilter({ ...filter, who: subject?.id ?? '' })}
          />
        </FilterField>
      )}
      <FilterField>
        <Choice
          label={words.operation}
          isLabelHidden
          value={filter.what || ANY}
          onChange={(what) => setFilter({ ...filter, what: what === ANY ? '' : what })}
          options={[{ id: ANY, label: words.anyOperation }, ...other, ...known]}
        />
      </FilterField>
      <DateFilter label={words.dates} span={filter} onChange={(span) => setFilter({ ...filter, ...span })} />
      <Chip isOn={filter.isRefusedOnly} onChange={(isRefusedOnly) => setFilter({ ...filter, isRefusedOnly })}>
        {words.refusedOnly}
      </Chip>
      {filter.target !== '' && (
        <Chip isOn onChange={() => setFilter({ ...filter, target: '' })}>
          {words.oneTarget}
        </Chip>
      )}
    </FilterBar>
  );
}
