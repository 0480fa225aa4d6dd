import { useInboundCounts } from '../../api/inbound.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, MenuChip } from '../../ui/chip.tsx';
import { DateFilter } from '../../ui/date-filter.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { Menu } from '../../ui/menu.tsx';
import { filterOf, type InboxFilter, isFiltered, STATE_CHIPS } from './filter.ts';
import styles from './inbox-list.module.css';

export interface FiltersProps {
  readonly filter: InboxFilter;
  /** Labels of those whose faxes are in the list. */
  readonly mailboxes: readonly string[];
  readonly onChange: (filter: InboxFilter) => void;
}

export function Filters({ filter, mailboxes, onChange }: FiltersProps) {
  const counts = useInboundCounts();
  return (
    <div className={styles['filters']} role="group" aria-label={t.inbox.filters}>
      <div className={styles['search']}>
        <ListSearch
          screen={t.inbox.title}
          label={t.inbox.searchLabel}
          hint={t.inbox.searchHint}
          value={filter.q}
          onChange={(q) => onChange({ ...filter, q })}
        />
      </div>
      <DateFilter label={t.inbox.dates} span={filter} onChange={(span) => onChange({ ...filter, ...span })} />
      {STATE_CHIPS.filter((chip) => chip !== 'failed' || filter.state === chip || counts?.failed).map(
        (chip) => (
          <Chip
            key={chip}
            isOn={filter.state === chip}
            onChange={(isOn) => onChange({ ...filter, state: isOn ? chip : null })}
            count={counts?.[chip]}
          >
            {t.inbox.chips[chip]}
          </Chip>
        ),
      )}
      <Mailboxes filter={filter} mailboxes={mailboxes} onChange={onChange} />
      {isFiltered(filter) && (
        <Button variant="link" onPress={() => onChange(filterOf({}))}>
          {t.inbox.clear}
        </Button>
      )}
    </div>
  );
}

/** Not there while no fax belongs to a mailbox. */
function Mailboxes({ filter, mailboxes, onChange }: FiltersProps) {
  const { mailbox } = filter;
  if (mailboxes.length === 0 && mailbox === '') return null;
  const choose = (label: string) => onChange({ ...filter, mailbox: label });
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
