import { useQuery } from '@tanstack/react-query';
import { contactTagsQuery } from '../../api/contacts.ts';
import { FilterBar } from '../../parts/lists/filter-bar.tsx';
import { FilterMenu } from '../../parts/lists/filter-menu.tsx';
import { t } from '../../texts/contacts.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatCount } from '../../ui/format.ts';
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
  const tags = useQuery(contactTagsQuery).data ?? [];
  const onChange = (q: string) => setFilter({ ...filter, q });
  return (
    <FilterBar
      label={words.filters}
      search={{ screen, label, hint, value: filter.q, onChange }}
      clear={{ label: words.clear, isOffered: isFiltered, onPress: clear }}
    >
      <Chip
        isOn={filter.isBlocked}
        onChange={(isBlocked) => setFilter({ ...filter, isBlocked, isOptedOut: false })}
      >
        {words.onlyBlocked}
      </Chip>
      <Chip
        isOn={filter.isOptedOut}
        onChange={(isOptedOut) => setFilter({ ...filter, isOptedOut, isBlocked: false })}
      >
        {words.onlyOptedOut}
      </Chip>
      {(tags.length > 0 || filter.tag !== '') && (
        <FilterMenu
          label={words.tag}
          all={words.allTags}
          options={tags.map(({ tag, contacts }) => [tag, words.tagCount(tag, formatCount(contacts))])}
          value={filter.tag}
          onChange={(tag) => setFilter({ ...filter, tag })}
        />
      )}
    </FilterBar>
  );
}
