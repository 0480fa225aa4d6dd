import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { PRINT_STATES, type PrintState } from '../../../shared/states/print-rules.ts';
import { printoutCountsQuery, usePrintouts } from '../../api/print-rules.ts';
import { usePermission } from '../../api/queries.ts';
import { type FilterCodec, onlySet, useListFilter } from '../../parts/lists/list-filter.ts';
import { ListOpening } from '../../parts/lists/list-state.tsx';
import { t as administration } from '../../texts/administration.ts';
import { t } from '../../texts/printouts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import { OpenableList } from './openable-list.tsx';
import { printoutColumns } from './printout-columns.tsx';
import { PrintoutDetails } from './printout-details.tsx';
import { StateTabs } from './state-tabs.tsx';
import styles from './system.module.css';

const words = t.printouts;

const FILTER: FilterCodec<PrintState | null> = {
  fromAddress: ({ state }) => PRINT_STATES.find((it) => it === state) ?? null,
  toAddress: (state) => onlySet({ state }),
};

/** Shows the printouts of received faxes, by state. */
export function PrintoutsPage() {
  const { filter: state, setFilter } = useListFilter(FILTER);
  const list = usePrintouts(state);
  const phone = usePhoneFormat();
  const columns = useMemo(() => printoutColumns(phone), [phone]);
  const counts = useQuery(printoutCountsQuery).data;
  return (
    <Pane label={administration.system.printouts.title}>
      <PaneHead title={administration.system.printouts.title} />
      <div className={styles['filters']}>
        <StateTabs
          states={PRINT_STATES}
          words={words}
          counts={counts}
          warning={['doubtful', 'failed']}
          state={state}
          onState={setFilter}
        />
      </div>
      {list.isOpening ? (
        <ListOpening error={list.error} retry={list.retry} />
      ) : (
        <OpenableList
          key={list.name}
          list={list}
          words={words}
          columns={columns}
          nothing={<NoPrintouts isFiltered={state !== null} />}
          details={(id, close) => <PrintoutDetails key={id} id={id} onClose={close} />}
        />
      )}
    </Pane>
  );
}

function NoPrintouts({ isFiltered }: { isFiltered: boolean }) {
  const maySetUp = usePermission('settings:read');
  if (isFiltered) return <EmptyState icon="search" title={words.none} />;
  const way = (
    <Link to="/settings/{-$settingsPage}" params={{ settingsPage: 'printing' }}>
      {words.toRules}
    </Link>
  );
  return (
    <EmptyState icon="print" title={words.empty} action={maySetUp && way}>
      {words.emptySentence}
    </EmptyState>
  );
}
