import { WORK_VIEWS, type WorkView } from '../../../shared/api/work-shapes.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { WORK_STATES } from '../../../shared/states/work.ts';
import { useWorkCounts } from '../../api/work.ts';
import { FilterBar } from '../../parts/lists/filter-bar.tsx';
import { FilterMenu } from '../../parts/lists/filter-menu.tsx';
import { t } from '../../texts/work.ts';
import { useActions } from '../../ui/actions.tsx';
import { formatUpTo } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Tab, Tabs } from '../../ui/tabs.tsx';
import { hasOneState, type WorkFilter } from './filter.ts';
import styles from './work-screen.module.css';

/** The parts of the queue, and what narrows each. */
export function Filters(props: {
  filter: WorkFilter;
  setFilter: (filter: WorkFilter) => void;
  mailboxes: readonly string[];
}) {
  const { filter, setFilter, mailboxes } = props;
  const isNarrowed = filter.state !== null || filter.mailbox !== '' || filter.q !== '';
  const { title: screen, searchLabel, searchHint } = t.work;
  const search = (q: string) => setFilter({ ...filter, q });
  return (
    <div className={styles['filters']}>
      <WorkTabs view={filter.view} onView={(view) => setFilter({ ...filter, view })} />
      <FilterBar
        label={t.work.filters}
        search={{
          screen,
          label: searchLabel,
          hint: searchHint,
          findNote: t.ui.findNote,
          value: filter.q,
          onChange: search,
        }}
        clear={{
          label: t.work.clear,
          isOffered: isNarrowed,
          onPress: () => setFilter({ ...filter, state: null, mailbox: '', q: '' }),
        }}
      >
        {(mailboxes.length > 0 || filter.mailbox !== '') && (
          <FilterMenu
            label={t.work.mailbox}
            all={t.work.allMailboxes}
            options={mailboxes.map((it) => [it, it])}
            value={filter.mailbox}
            onChange={(mailbox) => setFilter({ ...filter, mailbox })}
          />
        )}
        {!hasOneState(filter.view) && (
          <FilterMenu
            label={t.work.state}
            all={t.work.allStates}
            options={WORK_STATES.map((it) => [it, t.work.stateChips[it]])}
            value={filter.state ?? ''}
            onChange={(state) =>
              setFilter({ ...filter, state: WORK_STATES.find((it) => it === state) ?? null })
            }
          />
        )}
      </FilterBar>
    </div>
  );
}

/** Tabs of the work queue, with the number of items of each. */
function WorkTabs({ view, onView }: { view: WorkView; onView: (view: WorkView) => void }) {
  const counts = useWorkCounts();
  const countOf: Readonly<Record<WorkView, number | undefined>> = {
    todo: counts?.todo,
    mine: counts?.mine,
    unassigned: counts?.unassigned,
    overdue: counts?.overdue,
    all: counts && counts.open + counts.acknowledged + counts.done,
    done: counts?.done,
  };
  const words = t.work.views;
  useActions(
    t.work.title,
    WORK_VIEWS.map((it, index) => ({
      id: `view-${it}`,
      label: t.work.showView(words[it]),
      icon: 'work' as const,
      keys: String(index + 1),
      isDisabled: it === view,
      run: () => onView(it),
    })),
  );
  const isCut =
    counts !== undefined && Math.max(counts.open, counts.acknowledged, counts.done) >= LIMITS.counted;
  return (
    <Tabs label={t.work.view}>
      {WORK_VIEWS.map((it) => {
        const count = countOf[it];
        const isLate = it === 'overdue' && (count ?? 0) > 0;
        // The sum of several counts has more where one of them has.
        const most = it === 'all' && isCut ? count : LIMITS.counted;
        return (
          <Tab key={it} isOn={it === view} onPress={() => onView(it)} isWarning={isLate}>
            {t.work.views[it]}
            {count !== undefined && (
              <b>
                {isLate && <Icon name="late" size={14} />}
                {formatUpTo(count, most ?? 0)}
              </b>
            )}
          </Tab>
        );
      })}
    </Tabs>
  );
}
