import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe, usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatCount } from '../../../ui/format.ts';
import { ListSearch } from '../../../ui/list-search.tsx';
import { Pane, PaneHead } from '../../../ui/pane.tsx';
import { AccessList } from '../lists/access-list.tsx';
import { NewButton } from '../lists/new-button.tsx';
import type { Pages } from '../lists/pages.ts';
import { PartPanes } from '../part-panes.tsx';
import type { PartProps } from '../part-props.ts';
import { useShow } from '../use-show.ts';
import { PrincipalView } from './details/principal-view.tsx';
import { NewPrincipal } from './new-principal.tsx';
import styles from './people.module.css';
import { columnsFor } from './people-columns.tsx';
import { type ManagedKind, type Principal, type PrincipalFilter, usePrincipals } from './people-queries.ts';

const words = t.access.person;

export function PeoplePart({ id }: PartProps) {
  return <PrincipalsPart kind="user" id={id} />;
}

export function IntegrationsPart({ id }: PartProps) {
  return <PrincipalsPart kind="integration" id={id} />;
}

/** People or integrations as a list, and the one that is open beside it. */
function PrincipalsPart({ kind, id }: { kind: ManagedKind; id: string | undefined }) {
  const part = kind === 'user' ? 'people' : 'integrations';
  const { filter, setFilter } = useFilter();
  const pages = usePrincipals(kind, filter);
  const meId = useMe()?.principal.id ?? '';
  const show = useShow(part);
  const mayChange = usePermission('users:manage');
  const [isNew, setNew] = useState(false);
  const title = t.access[part];
  const list = (
    <Pane label={title}>
      <PaneHead title={title} count={countOf(pages)}>
        {mayChange && (
          <NewButton
            part={title}
            label={words.new[kind]}
            icon={kind === 'user' ? 'add-person' : 'plus'}
            isReady={!pages.isOpening}
            onPress={() => setNew(true)}
          />
        )}
      </PaneHead>
      <Filters kind={kind} title={title} filter={filter} onChange={setFilter} />
      <AccessList
        label={words.list[kind]}
        pages={pages}
        columns={columnsFor(kind, meId)}
        rowClassName={kind === 'user' ? styles['person'] : styles['integration']}
        openId={id}
        onShow={show}
        blank={<Nobody kind={kind} filter={filter} onClear={() => setFilter(NO_FILTER)} />}
      />
      {isNew && (
        <NewPrincipal
          kind={kind}
          policyVersion={pages.policyVersion}
          onClose={() => setNew(false)}
          onDone={(made) => {
            setNew(false);
            show(made.id);
          }}
        />
      )}
    </Pane>
  );
  const details =
    id === undefined ? null : <PrincipalView key={id} id={id} onClose={() => show(undefined)} />;
  return <PartPanes list={list} details={details} />;
}

const NO_FILTER: PrincipalFilter = { q: '', isDisabled: false };

function useFilter() {
  const { q = '', state } = useSearch({ from: '/framed/access/{-$part}/{-$id}' });
  const navigate = useNavigate();
  return {
    filter: { q: q.trim(), isDisabled: state === 'disabled' },
    setFilter: (next: PrincipalFilter) =>
      void navigate({
        to: '.',
        search: { ...(next.q && { q: next.q }), ...(next.isDisabled && { state: 'disabled' }) },
        replace: true,
      }),
  };
}

function countOf(pages: Pages<Principal>) {
  if (pages.isOpening) return undefined;
  const count = formatCount(pages.items.length);
  return <span role="status">{pages.isWhole ? count : t.access.countMore(count)}</span>;
}

function Filters(props: {
  kind: ManagedKind;
  title: string;
  filter: PrincipalFilter;
  onChange: (filter: PrincipalFilter) => void;
}) {
  const { kind, title, filter, onChange } = props;
  return (
    <div className={styles['filters']} role="group" aria-label={words.filters[kind]}>
      <div className={styles['search']}>
        <ListSearch
          screen={title}
          label={words.search[kind]}
          hint={words.searchHint[kind]}
          value={filter.q}
          onChange={(q) => onChange({ ...filter, q })}
        />
      </div>
      <Chip isOn={filter.isDisabled} onChange={(isDisabled) => onChange({ ...filter, isDisabled })}>
        {words.onlyDisabled}
      </Chip>
    </div>
  );
}

function Nobody(props: { kind: ManagedKind; filter: PrincipalFilter; onClear: () => void }) {
  const { kind, filter, onClear } = props;
  if (filter.q === '' && !filter.isDisabled)
    return (
      <EmptyState icon={kind === 'user' ? 'person' : 'system'} title={words.empty[kind]}>
        {words.emptySentence[kind]}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="search"
      title={t.access.noneFits}
      action={<Button onPress={onClear}>{t.access.clear}</Button>}
    >
      {t.access.noneFitsSentence}
    </EmptyState>
  );
}
