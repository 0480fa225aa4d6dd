import { FilterBar } from '../../parts/lists/filter-bar.tsx';
import { t } from '../../texts/contacts.ts';
import { Chip } from '../../ui/chip.tsx';
import type { ContactsFilter } from './filter.ts';

const words = t.contacts;

/** Filters the contacts. */
export function Filters(props: {
  filter: ContactsFilter;
  setFilter: (filter: ContactsFilter) => void;
  isFiltered: boolean;
  clear: () => void;
}) {
  const { filter, setFilter, isFiltered, clear } = props;
  const { title: screen, searchLabel: label, searchHint: hint } = words;
  const onChange = (q: string) => setFilter({ ...filter, q });
  return (
    <FilterBar
      label={words.filters}
      search={{ screen, label, hint, value: filter.q, onChange }}
      clear={{ label: words.clear, isOffered: isFiltered, onPress: clear }}
    >
      <Chip isOn={filter.isBlocked} onChange={(isBlocked) => setFilter({ ...filter, isBlocked })}>
        {words.onlyBlocked}
      </Chip>
    </FilterBar>
  );
}
