import { useState } from 'react';
import { useMe, usePermission } from '../../../api/queries.ts';
import { FilterBar } from '../../../parts/lists/filter-bar.tsx';
import { useListFilter } from '../../../parts/lists/list-filter.ts';
import { NEW_PERSON } from '../../../parts/new-person-place.ts';
import { dismissPassword, useShownPassword } from '../../../parts/sign-in/shown-password.ts';
import { t } from '../../../texts/access.ts';
import { Chip } from '../../../ui/chip.tsx';
import { AccessList } from '../lists/access-list.tsx';
import { ListCount } from '../lists/list-count.tsx';
import { NewButton } from '../lists/new-button.tsx';
import { NothingListed } from '../lists/nothing-listed.tsx';
import { PartPanes } from '../lists/part-panes.tsx';
import type { PartProps } from '../part-names.ts';
import { useOpenDetails } from '../use-open-details.ts';
import { PrincipalView } from './details/principal-view.tsx';
import { NewPrincipal } from './new-principal.tsx';
import styles from './people.module.css';
import { columnsFor } from './people-columns.tsx';
import { type ManagedKind, PRINCIPAL_FILTER, type PrincipalFilter, usePrincipals } from './people-queries.ts';
import { TemporaryPassword } from './temporary-password.tsx';

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
  const filtering = useListFilter(PRINCIPAL_FILTER);
  const { filter, setFilter } = filtering;
  const pages = usePrincipals(kind, filter);
  const meId = useMe()?.principal.id ?? '';
  const show = useOpenDetails(part);
  const mayChange = usePermission('users:manage');
  const [isAsked, setNew] = useState(false);
  const isByAddress = id === NEW_PERSON.params.id;
  // The form sends the policy version of the list, so it opens only after the list was read.
  const isNew = mayChange && (isAsked || (isByAddress && kind === 'user' && !pages.isOpening));
  const closeNew = () => {
    setNew(false);
    if (isByAddress) show(undefined, true);
  };
  const password = useShownPassword(meId);
  const title = t.access[part];
  const details =
    id === undefined || isByAddress ? null : (
      <PrincipalView key={id} id={id} onClose={() => show(undefined)} />
    );
  return (
    <PartPanes
      title={title}
      count={<ListCount list={pages} />}
      actions={
        mayChange && (
          <NewButton
            part={title}
            label={words.new[kind]}
            icon={kind === 'user' ? 'add-person' : 'plus'}
            isReady={!pages.isOpening}
            onPress={() => setNew(true)}
          />
        )
      }
      details={details}
    >
      <Filters kind={kind} title={title} filter={filter} setFilter={setFilter} />
      <AccessList
        label={words.list[kind]}
        list={pages}
        columns={columnsFor(kind, meId)}
        rowClassName={kind === 'user' ? styles['person'] : styles['integration']}
        openId={isByAddress ? undefined : id}
        onShow={show}
        empty={
          <NothingListed
            icon={kind === 'user' ? 'person' : 'system'}
            words={emptyWords(kind)}
            filtering={filtering}
          />
        }
      />
      {isNew && password === null && (
        <NewPrincipal
          kind={kind}
          meId={meId}
          policyVersion={pages.policyVersion}
          onClose={closeNew}
          onDone={(made) => {
            setNew(false);
            show(made.id);
          }}
        />
      )}
      {kind === 'user' && password !== null && (
        <TemporaryPassword shown={password} onDone={dismissPassword} />
      )}
    </PartPanes>
  );
}

function Filters(props: {
  kind: ManagedKind;
  title: string;
  filter: PrincipalFilter;
  setFilter: (filter: PrincipalFilter) => void;
}) {
  const { kind, title, filter, setFilter } = props;
  return (
    <FilterBar
      label={words.filters[kind]}
      search={{
        screen: title,
        label: words.search[kind],
        hint: words.searchHint[kind],
        value: filter.q,
        onChange: (q) => setFilter({ ...filter, q }),
      }}
    >
      <Chip isOn={filter.isDisabled} onChange={(isDisabled) => setFilter({ ...filter, isDisabled })}>
        {words.onlyDisabled}
      </Chip>
    </FilterBar>
  );
}

const emptyWords = (kind: ManagedKind) => ({
  empty: words.empty[kind],
  emptySentence: words.emptySentence[kind],
  noneFits: t.access.noneFits,
  noneFitsSentence: t.access.noneFitsSentence,
  all: t.access.clear,
});
