import { useQuery } from '@tanstack/react-query';
import { faxCountsQuery } from '../../api/outbound.ts';
import { HoldChip } from '../../parts/holds/hold-chip.tsx';
import { FilterBar } from '../../parts/lists/filter-bar.tsx';
import { TestFaxesChip } from '../../parts/test-fax/test-faxes-chip.tsx';
import { t } from '../../texts/sent.ts';
import { Chip } from '../../ui/chip.tsx';
import { DateFilter } from '../../ui/date-filter.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { type Counts, countOf, scheduledOf } from './counts.ts';
import { type SentFilter, STATE_GROUPS, type StateGroup, statesOf } from './filter.ts';

const SIGNS: Partial<Record<StateGroup, IconName>> = { ask: 'question' };

/** Faxes by state, of everybody and of the caller. */
export function useCounts(): Counts | undefined {
  return useQuery(faxCountsQuery).data;
}

interface FiltersProps {
  readonly filter: SentFilter;
  readonly setFilter: (filter: SentFilter) => void;
  readonly isFiltered: boolean;
  readonly clear: () => void;
}

export function Filters({ filter, setFilter, isFiltered, clear }: FiltersProps) {
  const counts = useCounts();
  const shown = filter.isMine ? counts?.mine : counts?.all;
  const toggle = (group: StateGroup, isOn: boolean) =>
    setFilter({
      ...filter,
      isScheduled: false,
      groups: isOn ? [...filter.groups, group] : filter.groups.filter((it) => it !== group),
    });
  const { title: screen, searchLabel, searchHint } = t.sent;
  const search = (q: string) => setFilter({ ...filter, q });
  return (
    <FilterBar
      label={t.sent.filters}
      search={{
        screen,
        label: searchLabel,
        hint: searchHint,
        findNote: t.ui.findNote,
        value: filter.q,
        onChange: search,
      }}
      clear={{ label: t.sent.clear, isOffered: isFiltered, onPress: clear }}
    >
      {(Object.keys(STATE_GROUPS) as StateGroup[]).map((group) => (
        <Chip
          key={group}
          isOn={filter.groups.includes(group)}
          onChange={(isOn) => toggle(group, isOn)}
          {...countOf(shown, STATE_GROUPS[group])}
          {...(SIGNS[group] && { icon: SIGNS[group] })}
        >
          {t.sent.groups[group]}
        </Chip>
      ))}
      <Chip
        icon="clock"
        isOn={filter.isScheduled}
        onChange={(isScheduled) => setFilter({ ...filter, isScheduled, groups: [] })}
        {...scheduledOf(counts, filter.isMine)}
      >
        {t.sent.scheduled}
      </Chip>
      <Chip
        isOn={filter.isMine}
        onChange={(isMine) => setFilter({ ...filter, isMine })}
        {...(filter.isScheduled ? scheduledOf(counts, true) : countOf(counts?.mine, statesOf(filter.groups)))}
      >
        {t.sent.mine}
      </Chip>
      {filter.caseId !== '' && (
        <Chip isOn onChange={() => setFilter({ ...filter, caseId: '' })}>
          {t.sent.ofCase(filter.caseId)}
        </Chip>
      )}
      <HoldChip isOn={filter.isKept} onChange={(isKept) => setFilter({ ...filter, isKept })} />
      <TestFaxesChip isOn={filter.withTests} onChange={(withTests) => setFilter({ ...filter, withTests })} />
      <DateFilter label={t.sent.dates} span={filter} onChange={(span) => setFilter({ ...filter, ...span })} />
    </FilterBar>
  );
}
