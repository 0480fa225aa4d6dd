import { access } from '../../../api/access.ts';
import { t } from '../../../texts/access.ts';
import { useActions } from '../../../ui/actions.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { DownloadLink } from '../../../ui/download-link.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatFully, formatMoment } from '../../../ui/format.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';
import { AccessList, type Column } from '../lists/access-list.tsx';
import { openDetails } from '../lists/open-details.tsx';
import { usePages } from '../lists/pages.ts';
import { PartPanes } from '../part-panes.tsx';
import type { PartProps } from '../part-props.ts';
import { useShow } from '../use-show.ts';
import styles from './audit.module.css';
import {
  type AuditFilter,
  exportAddress,
  isFiltered,
  NO_FILTER,
  queryOf,
  useAuditFilter,
} from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { EventDetails } from './event-details.tsx';
import { type AuditEvent, eventSentence } from './event-words.ts';
import { OutcomeWord } from './outcome-word.tsx';

const words = t.access.event;
const KEY = 'shift+r';

/** Who did what, and what was refused, newest first. */
export function AuditPart({ id }: PartProps) {
  const { filter, setFilter } = useAuditFilter();
  const events = usePages({
    key: ['audit', queryOf(filter)],
    read: (page, signal) => access.audit.listAudit({ query: { ...page, ...queryOf(filter) }, signal }),
  });
  const show = useShow('audit');
  const onClose = () => show(undefined);
  useActions(t.access.audit, [
    { id: 'look', label: words.look, icon: 'refresh', keys: KEY, run: events.retry },
  ]);
  return (
    <PartPanes
      list={
        <Pane label={t.access.audit}>
          <PaneHead title={t.access.audit}>
            <DownloadLink href={exportAddress(filter, 'csv')} label={words.csvLabel}>
              {words.csv}
            </DownloadLink>
            <DownloadLink href={exportAddress(filter, 'json')} label={words.jsonLabel}>
              {words.json}
            </DownloadLink>
            <IconButton icon="refresh" label={words.look} onPress={events.retry} />
          </PaneHead>
          <AuditFilters filter={filter} onChange={setFilter} named={events.items} />
          <AccessList
            label={t.access.audit}
            pages={events}
            columns={COLUMNS}
            rowClassName={styles['cells']}
            openId={id}
            onShow={show}
            blank={<NoEvents filter={filter} onAll={() => setFilter(NO_FILTER)} />}
          />
        </Pane>
      }
      details={openDetails({ id, pages: events, label: words.details, onClose }, (event) => (
        <EventDetails key={event.id} event={event} onClose={onClose} />
      ))}
    />
  );
}

const COLUMNS: readonly Column<AuditEvent>[] = [
  {
    id: 'at',
    head: words.at,
    isQuiet: true,
    cell: ({ at }) => <span title={formatFully(at)}>{formatMoment(at)}</span>,
  },
  {
    id: 'what',
    head: words.what,
    cell: (event) => {
      const sentence = eventSentence(event);
      return <span title={sentence}>{sentence}</span>;
    },
  },
  {
    id: 'outcome',
    head: words.outcome,
    room: 'medium',
    cell: ({ outcome }) => <OutcomeWord outcome={outcome} />,
  },
];

function NoEvents({ filter, onAll }: { filter: AuditFilter; onAll: () => void }) {
  if (!isFiltered(filter)) return <EmptyState icon="report" title={words.empty} />;
  return (
    <EmptyState icon="search" title={words.noneFits} action={<Button onPress={onAll}>{words.all}</Button>}>
      {words.noneFitsSentence}
    </EmptyState>
  );
}
