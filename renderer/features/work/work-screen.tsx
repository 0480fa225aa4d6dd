import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type RefObject, useRef } from 'react';
import { inboundQuery } from '../../api/inbound.ts';
import { newest } from '../../api/newest.ts';
import { usePermission } from '../../api/queries.ts';
import { type WorkItem, workQuery } from '../../api/work.ts';
import { type Cursor, type ReadingCursor, useCursor } from '../../parts/lists/list-cursor.ts';
import { useListFilter } from '../../parts/lists/list-filter.ts';
import { useListSplit } from '../../parts/lists/list-split.tsx';
import { rowCount } from '../../parts/lists/list-table.tsx';
import { MAX_AHEAD, useBeginPages, useDrawAhead } from '../../parts/received/draw-ahead.ts';
import { useViewOptions } from '../../parts/received/view-options.ts';
import { useScreenTitle } from '../../parts/window-title.ts';
import { WithActLines } from '../../parts/work/act-lines.tsx';
import type { ActKind } from '../../parts/work/acts.ts';
import { useReturnToRefused } from '../../parts/work/pending-actions.ts';
import { useTriage } from '../../parts/work/use-triage.ts';
import { t } from '../../texts/work.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { isToDo, WORK_FILTER, type WorkFilter } from './filter.ts';
import { useChooseKey, useChosen } from './use-chosen.ts';
import { useWorkList, type WorkList } from './use-work-list.ts';
import { ItemViewer } from './viewer/item-viewer.tsx';
import { WorkPane } from './work-pane.tsx';
import styles from './work-screen.module.css';

/** Width of the list beside an open item, in px: a number is whole beside the mark of who has it open, and a page can be read. */
const usualWidth = () => 456;

/** The work queue: what is to be done by whom until when, and the fax of the item that is open. */
export function WorkScreen() {
  const { workId } = useParams({ from: '/framed/work/{-$workId}' });
  useScreenTitle(t.work.title);
  const { filter, setFilter } = useListFilter(WORK_FILTER);
  const rows = useRef<VirtualRowsHandle>(null);
  const list = useWorkList(filter);
  const [view, setView] = useViewOptions('work');
  useFirstAhead(list, workId === undefined);
  const show = useShow(list);
  const split = useListSplit('work', usualWidth);
  const count = rowCount(list);
  const words = t.work.keys;
  const cursor = useCursor({ screen: t.work.title, words, list, count, openId: workId, rows, show });
  const chosen = useChosen(list.name);
  useChooseKey(list, cursor, chosen);
  const goOn = useAdvance(list, cursor, rows, filter);
  const isChoosing = chosen.ids.size > 0;
  const isOpen = workId !== undefined && !isChoosing;
  const open = useOpenItem(list, workId);
  const triage = useTriage({
    screen: t.work.keys.thisItem,
    items: itemsOf(list, cursor, chosen.ids, isOpen ? (open ?? null) : undefined),
    advance: (act, items) => {
      if (act !== null) chosen.clear();
      goOn(act?.kind ?? null, items);
    },
  });
  useReturnToRefused(({ id }) => show(id, true));
  const next = cursor.chosen === null ? undefined : nextToDo(list, cursor.chosen, [], filter);
  const undone = ([id]: readonly string[]) => {
    rows.current?.focus();
    if (id !== undefined && workId !== undefined) show(id, true);
  };
  return (
    <WithActLines
      screen={t.work.title}
      isShown={({ id }) => triage.items.some((item) => item.id === id)}
      onShow={({ id }) => show(id, workId !== undefined)}
      onUndone={undone}
    >
      <div ref={split.ref} className={styles['screen']} style={split.style} data-open={isOpen || undefined}>
        <div className={styles['list']}>
          <WorkPane
            {...{ list, count, filter, setFilter, rows, cursor, chosen }}
            triage={triage}
            isOpen={isOpen}
          />
        </div>
        {isOpen && split.splitter}
        <div className={styles['viewer']}>
          {isOpen && <h1 className={styles['alone']}>{t.work.title}</h1>}
          {isChoosing ? (
            <SeveralChosen count={chosen.ids.size} />
          ) : workId === undefined ? (
            <NothingChosen />
          ) : (
            <ItemViewer
              id={workId}
              listed={open}
              nextFaxId={next === undefined ? undefined : list.at(next)?.inbound_fax_id}
              triage={triage}
              view={view}
              onView={setView}
              onClose={cursor.close}
              onJunk={() => goOn('done', open ? [open] : [])}
            />
          )}
        </div>
      </div>
    </WithActLines>
  );
}

const NothingChosen = () => (
  <EmptyState icon="file" title={t.work.viewer.nothingChosen}>
    {t.work.viewer.nothingChosenSentence}
  </EmptyState>
);

/** No page is in view while the keys apply to chosen rows, so that nobody takes it for what a key acts on. */
const SeveralChosen = ({ count }: { count: number }) => (
  <EmptyState icon="check" title={t.work.chosenTitle(formatCount(count), count === 1)}>
    {t.work.chosenSentence}
  </EmptyState>
);

/** To what the keys apply: the chosen rows, else the open item (null while it loads), else the row at the keyboard. */
function itemsOf(
  list: WorkList,
  { active }: Cursor,
  chosen: ReadonlySet<string>,
  open: WorkItem | null | undefined,
): readonly WorkItem[] {
  if (chosen.size > 0) return list.items.filter(({ id }) => chosen.has(id));
  if (open !== undefined) return open === null ? [] : [open];
  const item = active === null ? undefined : list.at(active);
  return item ? [item] : [];
}

/** Loads the faxes at the top of the list, and has their first pages drawn, while none is open. */
function useFirstAhead(list: WorkList, isIdle: boolean): void {
  const mayRead = usePermission('inbound:read');
  const first = isIdle && mayRead ? list.items.slice(0, MAX_AHEAD) : [];
  const faxes = useQueries({ queries: first.map((item) => inboundQuery(item.inbound_fax_id)) });
  useDrawAhead(faxes.flatMap(({ data }) => data ?? []));
}

/** Returns the open item from the list or, where the list lacks it, from the gateway. */
function useOpenItem(list: WorkList, id: string | undefined): WorkItem | undefined {
  const asked = useQuery({ ...workQuery(id ?? ''), enabled: id !== undefined }).data;
  const index = id === undefined ? null : list.indexOf(id);
  const listed = index === null ? undefined : list.at(index);
  return asked && listed ? newest(listed, asked) : (asked ?? listed);
}

/** After an item was done or assigned, the next one is open; after anything else it stays. The keyboard stands in the list. */
function useAdvance(
  list: WorkList,
  cursor: ReadingCursor,
  rows: RefObject<VirtualRowsHandle | null>,
  filter: WorkFilter,
) {
  return (kind: ActKind | null, items: readonly WorkItem[]) => {
    rows.current?.focus();
    if (kind !== 'done' && kind !== 'assign') return;
    const next = nextToDo(
      list,
      cursor.before,
      items.map(({ id }) => id),
      filter,
    );
    if (next !== undefined) cursor.moveTo(next);
  };
}

/** Opens an item beside the list, or none; the filter stays. */
function useShow(list: WorkList) {
  const navigate = useNavigate();
  const loaded = useQueryClient();
  const beginPages = useBeginPages();
  return (workId: string | undefined, replace = false) => {
    const index = workId === undefined ? null : list.indexOf(workId);
    const faxId = index === null ? undefined : list.at(index)?.inbound_fax_id;
    if (faxId !== undefined) beginPages(loaded.getQueryData(inboundQuery(faxId).queryKey));
    void navigate({ to: '/work/{-$workId}', params: { workId }, search: true, replace });
  };
}

/**
 * The next row after `from` with something left to do, without those in `without`; at the end of a list of open work the
 * first one. Undefined where there is none.
 */
function nextToDo(
  list: WorkList,
  from: number,
  without: readonly string[],
  filter: WorkFilter,
): number | undefined {
  const isNext = (item: WorkItem) => isToDo(filter, item) && !without.includes(item.id);
  const below = list.items.findIndex((item, index) => index > from && isNext(item));
  if (below >= 0) return below;
  const above = filter.view === 'all' ? -1 : list.items.findIndex(isNext);
  return above < 0 ? undefined : above;
}
