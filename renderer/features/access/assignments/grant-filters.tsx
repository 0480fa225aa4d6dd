import { usePermission } from '../../../api/queries.ts';
import { FilterBar, FilterField } from '../../../parts/lists/filter-bar.tsx';
import { t } from '../../../texts/access.ts';
import { Choice } from '../../../ui/choice.tsx';
import { resourceName, useResources } from '../lists/resources.ts';
import { useRoles } from '../lists/short-lists.ts';
import { useSubjectOf } from '../subjects/find-subjects.ts';
import { SubjectField } from '../subjects/subject-field.tsx';
import type { Grant, GrantFilter } from './grant-queries.ts';
import { subjectKindText } from './grant-words.ts';

const words = t.access.grant;
const ANY = 'any';

/** Filters the grants by subject, role and resource. */
export function GrantFilters(props: {
  filter: GrantFilter;
  setFilter: (filter: GrantFilter) => void;
  isFiltered: boolean;
  clear: () => void;
  /** Listed grants, which contain most names already. */
  named: readonly Grant[];
}) {
  const { filter, setFilter, isFiltered, clear, named } = props;
  const roles = useRoles(usePermission('roles:read')).items;
  const resources = useResources();
  const listed = named.find(({ subject }) => subject.id === filter.of)?.subject;
  const chosen = useSubjectOf(filter.of, listed && { what: subjectKindText(listed), name: listed.name });
  const { of: _of, ...ofAll } = filter;
  const choose = (field: 'role' | 'on', id: string) => {
    const { [field]: _old, ...rest } = filter;
    setFilter(id === ANY ? rest : { ...rest, [field]: id });
  };
  return (
    <FilterBar label={words.filters} clear={{ label: words.all, isOffered: isFiltered, onPress: clear }}>
      <FilterField>
        <SubjectField
          label={words.find}
          isLabelHidden
          withGroups
          chosen={chosen}
          onChoose={(subject) => setFilter(subject ? { ...ofAll, of: subject.id } : ofAll)}
        />
      </FilterField>
      {roles.length > 0 && (
        <FilterField>
          <Choice
            label={words.role}
            isLabelHidden
            value={filter.role ?? ANY}
            onChange={(id) => choose('role', id)}
            options={[
              { id: ANY, label: words.anyRole },
              ...roles.map((role) => ({ id: role.id, label: role.name })),
            ]}
          />
        </FilterField>
      )}
      <FilterField>
        <Choice
          label={words.resource}
          isLabelHidden
          value={filter.on ?? ANY}
          onChange={(id) => choose('on', id)}
          options={[
            { id: ANY, label: words.anyResource },
            ...resources.map((resource) => ({ id: resource.id, label: resourceName(resource) })),
          ]}
        />
      </FilterField>
    </FilterBar>
  );
}
