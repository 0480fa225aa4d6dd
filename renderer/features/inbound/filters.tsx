import { LIMITS } from '../../../shared/limits.ts';
import { useInboundCounts } from '../../api/inbound.ts';
import { HoldChip } from '../../parts/holds/hold-chip.tsx';
import { FilterBar } from '../../parts/lists/filter-bar.tsx';
import { TestFaxesChip } from '../../parts/test-fax/test-faxes-chip.tsx';
import { t } from '../../texts/index.ts';
import { Chip, MenuChip } from '../../ui/chip.tsx';
import { DateFilter } from '../../ui/date-filter.tsx';
import { Menu } from '../../ui/menu.tsx';
import { type InboxFilter, STATE_CHIPS } from './filter.ts';

export interface FiltersProps {
  readonly filter: InboxFilter;
  readonly setFilter: (filter: InboxFilter) => void;
  readonly isFiltered: boolean;
  readonly clear: () => void;
  /** Labels of those whose faxes are in the list. */
  readonly mailboxes: readonly string[];
}

export function Filters({ filter, setFilter, isFiltered, clear, mailboxes }: FiltersProps) {
  const counts = useInboundCounts();
  const { title: screen, searchLabel, searchHint } = t.inbox;
  const search = (q: string) => setFilter({ ...filter, q });
  return (
    <FilterBar
      label={t.inbox.filters}
      search={{
        screen,
        label: searchLabel,
        hint: searchHint,
        findNote: t.ui.findNote,
        value: filter.q,
        onChange: search,
      }}
      clear={{ label: t.inbox.clear, isOffered: isFiltered, onPress: clear }}
    >
      <DateFilter
        label={t.inbox.dates}
        span={filter}
        onChange={(span) => setFilter({ ...filter, ...span })}
      />
      {STATE_CHIPS.map((chip) => (
        <Chip
          key={chip}
          isOn={filter.state === chip}
          onChange={(isOn) => setFilter({ ...filter, state: isOn ? chip : null })}
          count={counts?.[chip]}
          most={LIMITS.receivedCounted}
        >
          {t.inbox.chips[chip]}
        </Chip>
      ))}
      <HoldChip isOn={filter.isKept} onChange={(isKept) => setFilter({ ...filter, isKept })} />
      <TestFaxesChip isOn={filter.withTests} onChange={(withTests) => setFilter({ ...filter, withTests })} />
      <Mailboxes filter={filter} setFilter={setFilter} mailboxes={mailboxes} />
    </FilterBar>
  );
}

/** Draws nothing while no fax belongs to a mailbox. */
function Mailboxes(props: Pick<FiltersProps, 'filter' | 'mailboxes' | 'setFilter'>) {
  const { filter, mailboxes, setFilter } = props;
  const { mailbox } = filter;
  if (mailboxes.length === 0 && mailbox === '') return null;
  const choose = (label: string) => setFilter({ ...filter, mailbox: label });
  const entries = [
    { id: '', label: t.inbox.allMailboxes, run: () => choose('') },
    ...mailboxes.map((label) => ({
      id: `=${label}`,
      label,
      ...(label === mailbox && { icon: 'check' as const }),
      run: () => choose(label),
    })),
  ];
  return (
    <Menu label={t.inbox.mailbox} entries={entries}>
      <MenuChip isOn={mailbox !== ''}>{mailbox === '' ? t.inbox.mailbox : mailbox}</MenuChip>
    </Menu>
  );
}
