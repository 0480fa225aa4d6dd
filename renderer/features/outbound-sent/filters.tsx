import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { t } from '../../texts/sent.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { DateFilter } from '../../ui/date-filter.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import {
  type Counts,
  countOf,
  isFiltered,
  type SentFilter,
  STATE_GROUPS,
  type StateGroup,
} from './filter.ts';
import styles from './sent-screen.module.css';

const SIGNS: Partial<Record<StateGroup, IconName>> = { ask: 'question' };
const NO_FILTER: SentFilter = { q: '', groups: [], isMine: false, since: '', until: '' };

export interface FiltersProps {
  readonly filter: SentFilter;
  readonly onChange: (filter: SentFilter) => void;
}

/** Faxes by state, of everybody and of the caller. */
export function useCounts(): Counts | undefined {
  return useQuery({
    queryKey: ['fax-counts'],
    queryFn: ({ signal }) => client.outbound.countFaxes({ signal }),
  }).data;
}

export function Filters({ filter, onChange }: FiltersProps) {
  const counts = useCounts();
  const shown = filter.isMine ? counts?.mine : counts?.all;
  const toggle = (group: StateGroup, isOn: boolean) =>
    onChange({
      ...filter,
      groups: isOn ? [...filter.groups, group] : filter.groups.filter((it) => it !== group),
    });
  return (
    <div className={styles['filters']} role="group" aria-label={t.sent.filters}>
      <div className={styles['search']}>
        <ListSearch
          screen={t.sent.title}
          label={t.sent.searchLabel}
          hint={t.sent.searchHint}
          value={filter.q}
          onChange={(q) => onChange({ ...filter, q })}
        />
      </div>
      {(Object.keys(STATE_GROUPS) as StateGroup[]).map((group) => (
        <Chip
          key={group}
          isOn={filter.groups.includes(group)}
          onChange={(isOn) => toggle(group, isOn)}
          count={shown && countOf(shown, [group])}
          {...(SIGNS[group] && { icon: SIGNS[group] })}
        >
          {t.sent.groups[group]}
        </Chip>
      ))}
      <Chip
        isOn={filter.isMine}
        onChange={(isMine) => onChange({ ...filter, isMine })}
        count={counts && countOf(counts.mine, filter.groups)}
      >
        {t.sent.mine}
      </Chip>
      <DateFilter label={t.sent.dates} span={filter} onChange={(span) => onChange({ ...filter, ...span })} />
      {isFiltered(filter) && (
        <Button variant="link" onPress={() => onChange(NO_FILTER)}>
          {t.sent.clear}
        </Button>
      )}
    </div>
  );
}
