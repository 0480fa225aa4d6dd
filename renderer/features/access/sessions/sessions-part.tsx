import { usePermission } from '../../../api/queries.ts';
import { FilterBar } from '../../../parts/lists/filter-bar.tsx';
import { useListFilter } from '../../../parts/lists/list-filter.ts';
import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access.ts';
import { useActions } from '../../../ui/actions.tsx';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import { StateWord } from '../../../ui/state-word.tsx';
import { ListCount } from '../lists/list-count.tsx';
import { ListPart } from '../lists/list-part.tsx';
import type { PartProps } from '../part-names.ts';
import { useSubjectOf } from '../subjects/find-subjects.ts';
import { addressWords, deviceWords } from './device-words.ts';
import { type ListedSession, SESSION_FILTER, type SessionFilter, useSessions } from './session-queries.ts';
import { SessionView, sessionState } from './session-view.tsx';
import styles from './sessions.module.css';

const words = t.access.session;
const LOOK_KEY = 'shift+r';

/** Shows the list of sessions, and the one that is open beside it. */
export function SessionsPart({ id }: PartProps) {
  const { filter, setFilter } = useListFilter(SESSION_FILTER);
  const sessions = useSessions(filter);
  useActions(t.access.sessions, [
    { id: 'look', label: words.look, icon: 'refresh', keys: LOOK_KEY, run: sessions.retry },
  ]);
  return (
    <ListPart
      part="sessions"
      id={id}
      title={t.access.sessions}
      count={<ListCount list={sessions} />}
      actions={
        <Button icon="refresh" keys={LOOK_KEY} onPress={sessions.retry}>
          {words.look}
        </Button>
      }
      above={<Filters filter={filter} sessions={sessions.items} onChange={setFilter} />}
      rows={sessions}
      labels={{ list: words.list, details: words.details }}
      columns={COLUMNS}
      rowClassName={styles['cells']}
      empty={
        <EmptyState icon="clock" title={words.empty}>
          {words.emptySentence}
        </EmptyState>
      }
      details={(session, onClose) => (
        <SessionView
          key={session.id}
          session={session}
          policyVersion={sessions.policyVersion}
          onClose={onClose}
        />
      )}
    />
  );
}

function Filters(props: {
  filter: SessionFilter;
  sessions: readonly ListedSession[];
  onChange: (filter: SessionFilter) => void;
}) {
  const { filter, sessions, onChange } = props;
  const { personId } = filter;
  const listed = sessions.find(({ principal }) => principal.id === personId)?.principal;
  const person = useSubjectOf(personId ?? undefined, listed && { what: 'user', name: listed.display_name });
  const maySeePeople = usePermission('users:read');
  return (
    <FilterBar label={words.filters}>
      <Chip isOn={filter.withEnded} onChange={(withEnded) => onChange({ ...filter, withEnded })}>
        {words.ended}
      </Chip>
      {person && (
        <>
          <span>{maySeePeople || listed ? words.of(person.name) : words.ofSomebody}</span>
          <Button variant="link" onPress={() => onChange({ ...filter, personId: null })}>
            {words.showAll}
          </Button>
        </>
      )}
    </FilterBar>
  );
}

const heads = t.access.columns;
const COLUMNS: readonly Column<ListedSession>[] = [
  {
    id: 'name',
    head: heads.name,
    cell: ({ principal, current }) => {
      const name = current ? t.ui.you(principal.display_name) : principal.display_name;
      return <span title={name}>{name}</span>;
    },
  },
  {
    id: 'device',
    head: heads.device,
    isQuiet: true,
    room: 'medium',
    cell: ({ device }) => <span title={device}>{deviceWords(device)}</span>,
  },
  {
    id: 'address',
    head: heads.address,
    isQuiet: true,
    room: 'wide',
    cell: ({ address }) => <span title={address}>{addressWords(address)}</span>,
  },
  {
    id: 'used',
    head: heads.used,
    isQuiet: true,
    room: 'wide',
    cell: ({ last_used_at }) => <span title={formatFully(last_used_at)}>{formatWhen(last_used_at)}</span>,
  },
  {
    id: 'state',
    head: heads.state,
    cell: (session) => {
      const { tone, icon, word } = sessionState(session);
      return (
        <StateWord tone={tone} icon={icon} size="body">
          {word}
        </StateWord>
      );
    },
  },
];
