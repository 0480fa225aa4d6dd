import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { openedAddress } from '../../api/page-token.ts';
import { useMe } from '../../api/queries.ts';
import { workStatistics } from '../../api/work-statistics.ts';
import { daysOf, timesOf } from '../../parts/lists/days.ts';
import { type FilterCodec, onlySet, useListFilter } from '../../parts/lists/list-filter.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/work-statistics.ts';
import { useActions } from '../../ui/actions.tsx';
import { IconButton } from '../../ui/button.tsx';
import { DateFilter, type DateSpan } from '../../ui/date-filter.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, formatShortDay } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { Figures } from './figures.tsx';

const words = t.workStatistics;

const FILTER: FilterCodec<DateSpan> = {
  fromAddress: daysOf,
  toAddress: ({ since, until }) => onlySet({ since, until }),
};

/** Shows how fast received documents are acknowledged and done, to people who may read all work. */
export function StatisticsScreen() {
  useScreenTitle(words.title);
  const mayRead = useMe()?.permissions.includes('work:read');
  if (!mayRead)
    return (
      <EmptyState icon="report" title={words.notAll} level={1}>
        {words.notAllSentence}
      </EmptyState>
    );
  return <Statistics />;
}

function Statistics() {
  const { filter, setFilter } = useListFilter(FILTER);
  const query = timesOf(filter);
  const read = useQuery({
    queryKey: ['work-statistics', query],
    queryFn: ({ signal }) => workStatistics.workStatistics({ query, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const look = () => void read.refetch();
  useActions(words.title, [{ id: 'look', label: words.look, icon: 'refresh', keys: 'shift+r', run: look }]);
  const shown = read.data;
  return (
    <Pane label={words.title}>
      <PaneHead
        isForm
        level={1}
        title={words.title}
        count={shown && words.span(dayOf(shown.since), dayOf(shown.until, -1))}
      >
        <DateFilter label={words.filed} span={filter} onChange={setFilter} />
        <DownloadLink href={exportAddress(query)} label={words.csvLabel}>
          {words.csv}
        </DownloadLink>
        <IconButton icon="refresh" label={words.look} onPress={look} />
      </PaneHead>
      <PaneBody isPadded label={words.title}>
        <LoadProblem of={read} />
        {shown !== undefined && shown.archived > 0 && (
          <Notice tone="plain">{words.archived(formatCount(shown.archived), shown.archived === 1)}</Notice>
        )}
        {shown && <Figures statistics={shown} />}
      </PaneBody>
    </Pane>
  );
}

/** The day of a time; the end of a span is its last millisecond. */
const dayOf = (iso: string, plusMs = 0) => formatShortDay(new Date(Date.parse(iso) + plusMs));

function exportAddress(query: ReturnType<typeof timesOf>): string {
  return openedAddress(`/work/statistics/export?${new URLSearchParams({ format: 'csv', ...query })}`);
}
