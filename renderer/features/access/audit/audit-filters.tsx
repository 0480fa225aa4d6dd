import { AUDIT_OPERATIONS, isAuditOperation } from '../../../../shared/audit-operations.ts';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { DateFilter } from '../../../ui/date-filter.tsx';
import { useSubjectOf } from '../subjects/find-subjects.ts';
import { SubjectField } from '../subjects/subject-field.tsx';
import styles from './audit.module.css';
import { type AuditFilter, isFiltered, NO_FILTER } from './audit-filter.ts';
import type { AuditEvent } from './event-words.ts';

const words = t.access.event;
const ANY = 'any';

/** Who, what, when, and whether it was let through. */
export function AuditFilters(props: {
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
  /** What is listed knows the names already. */
  named: readonly AuditEvent[];
}) {
  const { filter, onChange, named } = props;
  const maySeePeople = usePermission('users:read');
  const actor = named.find(({ actor: { id } }) => id === filter.who)?.actor;
  const chosen = useSubjectOf(filter.who || undefined, actor && { what: 'user', name: actor.name });
  const known = Object.entries(AUDIT_OPERATIONS).map(([id, label]) => ({ id, label }));
  const other =
    filter.what === '' || isAuditOperation(filter.what) ? [] : [{ id: filter.what, label: filter.what }];
  return (
    <div className={styles['filters']} role="group" aria-label={words.filters}>
      {(maySeePeople || chosen) && (
        <div className={styles['field']}>
          <SubjectField
            label={words.who}
            isLabelHidden
            withGroups={false}
            chosen={chosen}
            onChoose={(subject) => onChange({ ...filter, who: subject?.id ?? '' })}
          />
        </div>
      )}
      <div className={styles['field']}>
        <Choice
          label={words.operation}
          isLabelHidden
          value={filter.what || ANY}
          onChange={(what) => onChange({ ...filter, what: what === ANY ? '' : what })}
          options={[{ id: ANY, label: words.anyOperation }, ...other, ...known]}
        />
      </div>
      <DateFilter label={words.dates} span={filter} onChange={(span) => onChange({ ...filter, ...span })} />
      <Chip isOn={filter.isRefusedOnly} onChange={(isRefusedOnly) => onChange({ ...filter, isRefusedOnly })}>
        {words.refusedOnly}
      </Chip>
      {isFiltered(filter) && (
        <Button variant="link" onPress={() => onChange(NO_FILTER)}>
          {words.all}
        </Button>
      )}
    </div>
  );
}
