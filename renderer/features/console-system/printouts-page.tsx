import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { PRINT_STATES } from '../../../shared/states/print-rules.ts';
import { printoutCountsQuery, usePrintouts } from '../../api/print-rules.ts';
import { usePermission } from '../../api/queries.ts';
import { useListFilter } from '../../parts/lists/list-filter.ts';
import { t as administration } from '../../texts/administration.ts';
import { t } from '../../texts/printouts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { printoutColumns } from './printout-columns.tsx';
import { PrintoutDetails } from './printout-details.tsx';
import { StatePane, stateFilter } from './state-pane.tsx';

const words = t.printouts;

const FILTER = stateFilter(PRINT_STATES);

/** Shows the printouts of received faxes, by state. */
export function PrintoutsPage() {
  const { filter: state, setFilter } = useListFilter(FILTER);
  const list = usePrintouts(state);
  const phone = usePhoneFormat();
  const columns = useMemo(() => printoutColumns(phone), [phone]);
  const counts = useQuery(printoutCountsQuery).data;
  return (
    <StatePane
      title={administration.system.printouts.title}
      words={words}
      states={PRINT_STATES}
      counts={counts}
      warning={['doubtful', 'failed']}
      state={state}
      onState={setFilter}
      list={list}
      columns={columns}
      nothing={<NoPrintouts isFiltered={state !== null} />}
      details={(id, close) => <PrintoutDetails key={id} id={id} onClose={close} />}
    />
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
