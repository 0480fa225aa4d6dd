import { KEY_STATES } from '../../../../shared/api/access-keys.ts';
import { FilterBar, FilterField } from '../../../parts/lists/filter-bar.tsx';
import { t } from '../../../texts/access.ts';
import { Choice } from '../../../ui/choice.tsx';
import { useSubjectOf } from '../subjects/find-subjects.ts';
import { SubjectField } from '../subjects/subject-field.tsx';
import type { Key, KeyFilter } from './key-queries.ts';

const words = t.access.key;
const ANY = 'any';

/** Filters the keys by owner and state. */
export function KeyFilters(props: {
  filter: KeyFilter;
  setFilter: (filter: KeyFilter) => void;
  isFiltered: boolean;
  clear: () => void;
  /** Listed keys, which contain most names already. */
  named: readonly Key[];
}) {
  const { filter, setFilter, isFiltered, clear, named } = props;
  const { of: _of, ...ofAll } = filter;
  const { state: _state, ...inAny } = filter;
  const listed = named.find(({ principal }) => principal.id === filter.of)?.principal;
  const chosen = useSubjectOf(
    filter.of,
    listed && {
      what: listed.kind === 'integration' ? 'integration' : 'user',
      name: listed.display_name,
    },
  );
  return (
    <FilterBar label={words.filters} clear={{ label: words.all, isOffered: isFiltered, onPress: clear }}>
      <FilterField>
        <SubjectField
          label={words.find}
          isLabelHidden
          withGroups={false}
          chosen={chosen}
          onChoose={(subject) => setFilter(subject ? { ...ofAll, of: subject.id } : ofAll)}
        />
      </FilterField>
      <FilterField>
        <Choice
          label={words.state}
          isLabelHidden
          value={filter.state ?? ANY}
          onChange={(state) => setFilter(state === ANY ? inAny : { ...filter, state })}
          options={[
            { id: ANY, label: words.anyState },
            ...KEY_STATES.map((state) => ({ id: state, label: words.states[state] })),
          ]}
        />
      </FilterField>
    </FilterBar>
  );
}
