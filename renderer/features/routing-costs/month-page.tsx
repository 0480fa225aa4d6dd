import { Link } from '@tanstack/react-router';
import { COST_GROUPS, type CostGroup } from '../../../shared/api/routing-costs.ts';
import { usePermission } from '../../api/queries.ts';
import { type FilterCodec, onlySet, useListFilter } from '../../parts/lists/list-filter.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/costs.ts';
import { useActions } from '../../ui/actions.tsx';
import { IconButton } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { exportAddress, type Month, useMonth } from './cost-queries.ts';
import { CostTable } from './cost-table.tsx';
import styles from './costs.module.css';
import { ExpensiveNumbers } from './expensive-numbers.tsx';
import { MonthTiles } from './month-tiles.tsx';
import { isMonth, monthName, monthPlus } from './months.ts';
import { PlanTable } from './plan-table.tsx';

const words = t.costs.month;

interface Shown {
  /** Empty for this one. */
  readonly month: string;
  readonly group: CostGroup;
}

const FILTER: FilterCodec<Shown> = {
  fromAddress: ({ month = '', by }) => ({
    month: isMonth(month) ? month : '',
    group: COST_GROUPS.find((group) => group === by) ?? 'day',
  }),
  toAddress: ({ month, group }) => onlySet({ month, by: group === 'day' ? '' : group }),
};

/** Shows the costs of a month beside those of the month before. */
export function MonthPage() {
  const { filter, setFilter } = useListFilter(FILTER);
  const shown = useMonth(filter.month, filter.group);
  const { month, isPast, sums, look } = shown;
  useActions(t.costs.title, [{ id: 'look', label: words.look, icon: 'refresh', keys: 'shift+r', run: look }]);
  const step = (months: number) => ({
    label: words.earlier(month && monthName(monthPlus(month, months))),
    isDisabled: month === '' || (months > 0 && !isPast),
    onPress: () => setFilter({ ...filter, month: monthPlus(month, months) }),
  });
  return (
    <Pane label={words.title}>
      <PaneHead isForm title={month && monthName(month)}>
        <IconButton icon="left" {...step(-1)} />
        <IconButton icon="right" {...step(1)} />
        {sums && (
          <DownloadLink href={exportAddress(sums)} label={words.csvLabel}>
            {words.csv}
          </DownloadLink>
        )}
        <IconButton icon="refresh" label={words.look} onPress={look} />
      </PaneHead>
      <PaneBody isPadded label={words.title}>
        {shown.failed && <LoadProblem of={shown.failed} />}
        <MonthShown shown={shown} group={filter.group} onGroup={(group) => setFilter({ ...filter, group })} />
      </PaneBody>
    </Pane>
  );
}

function MonthShown(props: { shown: Month; group: CostGroup; onGroup: (group: CostGroup) => void }) {
  const { shown, group, onGroup } = props;
  const { month, before, isPast, sums, sumsBefore, byToday, plans, dear, hasCards } = shown;
  if (!sums || !sumsBefore || !plans.data || hasCards === undefined) return null;
  const isEmpty = countOf(sums.all) === 0;
  if (isEmpty && countOf(sumsBefore.all) === 0 && !hasCards && !isPast) return <NothingYet />;
  const ofMonth = isPast ? null : plans.data;
  return (
    <div className={styles['column']}>
      <MonthTiles {...{ month, before, isPast, sums, sumsBefore, byToday }} fees={ofMonth?.fees ?? []} />
      {isEmpty ? (
        <p className={styles['quiet']}>{words.nothingSent}</p>
      ) : (
        <CostTable {...{ month, before, sums, sumsBefore, group, onGroup }} />
      )}
      <UnknownNotice count={sums.all.unknown} hasCards={hasCards} />
      {ofMonth !== null && ofMonth.plans.length > 0 && <PlanTable plans={ofMonth.plans} />}
      {!isEmpty && dear && <ExpensiveNumbers month={month} numbers={dear.numbers} />}
    </div>
  );
}

const countOf = ({ known, unknown }: { known: number; unknown: number }) => known + unknown;

/** Notes how many faxes the amounts leave out, and how to reduce that number. */
function UnknownNotice({ count, hasCards }: { count: number; hasCards: boolean }) {
  if (count === 0) return null;
  return (
    <Notice tone="plain" title={words.unknownTitle} action={<ToCards>{words.toCards}</ToCards>}>
      <p>{words.unknownSentence(formatCount(count))}</p>
      {!hasCards && <p>{words.noCardsSentence}</p>}
    </Notice>
  );
}

function NothingYet() {
  const mayManage = usePermission('routing:manage');
  return (
    <EmptyState
      icon="costs"
      title={words.empty}
      action={<ToCards>{mayManage ? words.addCard : words.toCards}</ToCards>}
    >
      {mayManage ? words.emptySentence : words.emptyForReaders}
    </EmptyState>
  );
}

function ToCards({ children }: { children: string }) {
  return (
    <Link to="/costs/{-$costsPage}" params={{ costsPage: 'rate-cards' }} className={styles['link']}>
      {children}
    </Link>
  );
}
