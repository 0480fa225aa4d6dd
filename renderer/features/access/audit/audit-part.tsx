import { access } from '../../../api/access.ts';
import { useListFilter } from '../../../parts/lists/list-filter.ts';
import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access.ts';
import { useActions } from '../../../ui/actions.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { DownloadLink } from '../../../ui/download-link.tsx';
import { formatFully, formatMoment, usePhoneFormat } from '../../../ui/format.ts';
import { useAccessRows } from '../lists/access-rows.ts';
import { ListPart } from '../lists/list-part.tsx';
import { NothingListed } from '../lists/nothing-listed.tsx';
import type { PartProps } from '../part-names.ts';
import styles from './audit.module.css';
import { AUDIT_FILTER, exportAddress, queryOf } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { EventDetails } from './event-details.tsx';
import { type AuditEvent, eventSentence } from './event-words.ts';
import { OutcomeWord } from './outcome-word.tsx';

const words = t.access.event;
const KEY = 'shift+r';

/** Shows the audit events, newest first: what was done and what was refused. */
export function AuditPart({ id }: PartProps) {
  const filtering = useListFilter(AUDIT_FILTER);
  const { filter } = filtering;
  const events = useAccessRows({
    key: ['audit', queryOf(filter)],
    read: (page, signal) => access.audit.listAudit({ query: { ...page, ...queryOf(filter) }, signal }),
  });
  useActions(t.access.audit, [
    { id: 'look', label: words.look, icon: 'refresh', keys: KEY, run: events.retry },
  ]);
  return (
    <ListPart
      part="audit"
      id={id}
      title={t.access.audit}
      actions={
        <>
          <DownloadLink href={exportAddress(filter, 'csv')} label={words.csvLabel}>
            {words.csv}
          </DownloadLink>
          <DownloadLink href={exportAddress(filter, 'json')} label={words.jsonLabel}>
            {words.json}
          </DownloadLink>
          <IconButton icon="refresh" label={words.look} onPress={events.retry} />
        </>
      }
      above={<AuditFilters {...filtering} named={events.items} />}
      rows={events}
      labels={{ list: t.access.audit, details: words.details }}
      columns={COLUMNS}
      rowClassName={styles['cells']}
      empty={<NothingListed icon="report" words={words} filtering={filtering} />}
      details={(event, onClose) => <EventDetails key={event.id} event={event} onClose={onClose} />}
    />
  );
}

function Sentence({ event }: { event: AuditEvent }) {
  const sentence = eventSentence(event, usePhoneFormat());
  return <span title={sentence}>{sentence}</span>;
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
    cell: (event) => <Sentence event={event} />,
  },
  {
    id: 'outcome',
    head: words.outcome,
    room: 'medium',
    cell: ({ outcome }) => <OutcomeWord outcome={outcome} />,
  },
];
