import { WORK_VIEWS, type WorkView } from '../../../shared/api/work.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { useWorkCounts } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { formatCount } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Tab, Tabs } from '../../ui/tabs.tsx';

/** Tabs of the work queue, with the number of items of each. */
export function WorkTabs({ view, onView }: { view: WorkView; onView: (view: WorkView) => void }) {
  const counts = useWorkCounts();
  const countOf: Readonly<Record<WorkView, number | undefined>> = {
    mine: counts?.mine,
    unassigned: counts?.unassigned,
    overdue: counts?.overdue,
    all: counts && counts.open + counts.acknowledged + counts.done,
  };
  const isCut =
    counts !== undefined && Math.max(counts.open, counts.acknowledged, counts.done) >= LIMITS.workCounted;
  return (
    <Tabs label={t.work.view}>
      {WORK_VIEWS.map((it) => {
        const count = countOf[it];
        const isLate = it === 'overdue' && (count ?? 0) > 0;
        const isMore = it === 'all' ? isCut : (count ?? 0) >= LIMITS.workCounted;
        return (
          <Tab key={it} isOn={it === view} onPress={() => onView(it)} isWarning={isLate}>
            {t.work.views[it]}
            {count !== undefined && (
              <b>
                {isLate && <Icon name="late" size={14} />}
                {isMore ? t.work.counted(formatCount(count)) : formatCount(count)}
              </b>
            )}
          </Tab>
        );
      })}
    </Tabs>
  );
}
