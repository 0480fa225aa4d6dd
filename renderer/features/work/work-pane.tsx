import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useState } from 'react';
import { WORK_VIEWS, type WorkView } from '../../../shared/api/work-shapes.ts';
import { useMe } from '../../api/queries.ts';
import { useWorkCounts } from '../../api/work.ts';
import type { Cursor } from '../../parts/lists/list-cursor.ts';
import { ListFoot } from '../../parts/lists/list-foot.tsx';
import { ListOpening, ListProblem } from '../../parts/lists/list-state.tsx';
import { ListTable, TWO_LINES } from '../../parts/lists/list-table.tsx';
import { useMailboxes } from '../../parts/lists/use-mailboxes.ts';
import { PrintoutsToCheck } from '../../parts/printouts/printouts-to-check.tsx';
import { KEYS, LAST_NOTE_KEY } from '../../parts/work/act-keys.ts';
import type { Triage } from '../../parts/work/use-triage.ts';
import { t } from '../../texts/work.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import type { WorkFilter } from './filter.ts';
import { Filters } from './filters.tsx';
import { HandOver } from './hand-over.tsx';
import type { Chosen } from './use-chosen.ts';
import type { WorkList } from './use-work-list.ts';
import { useWorkColumns } from './work-columns.tsx';
import styles from './work-table.module.css';

const foot = t.work.foot;
const FOOT = [
  [['j', 'k'], foot.move],
  [[`1-${WORK_VIEWS.length}`], foot.views],
  [[KEYS.take], foot.take],
  [[KEYS.assign], foot.assign],
  [[KEYS.acknowledge], foot.acknowledge],
  [[KEYS.done], foot.done],
  [[LAST_NOTE_KEY], foot.doneAgain],
  [[KEYS.note], foot.note],
  [['x'], foot.choose],
  [['u'], foot.undo],
  [['?'], foot.keys],
] as const;

/** The list with its tabs, what is chosen in it, and its keys. */
export function WorkPane(props: {
  list: WorkList;
  count: number;
  filter: WorkFilter;
  setFilter: (filter: WorkFilter) => void;
  rows: RefObject<VirtualRowsHandle | null>;
  cursor: Cursor;
  chosen: Chosen;
  /** Of what is open, chosen or active. */
  triage: Triage;
  /** The open item has its own bar. */
  isOpen: boolean;
}) {
  const { list, filter, setFilter, chosen, triage } = props;
  const [isHandingOver, setHandingOver] = useState(false);
  const { count, cursor, rows } = props;
  const label = t.work.list;
  const navigate = useNavigate();
  const mayReadAll = useMe()?.permissions.includes('work:read');
  const handOver = () => setHandingOver(true);
  useActions(t.work.title, [{ id: 'hand-over', label: t.work.handOver.title, icon: 'hand', run: handOver }]);
  const mailboxes = useMailboxes(list);
  const hasMailboxes = mailboxes.length > 0;
  const columns = useWorkColumns(chosen, { isDone: filter.view === 'done', hasMailboxes });
  return (
    <Pane label={label}>
      <PaneHead
        title={t.work.title}
        level={1}
        count={<span role="status">{countText(list, filter.view)}</span>}
      >
        {mayReadAll && (
          <IconButton
            icon="report"
            label={t.shell.workStatistics}
            onPress={() => void navigate({ to: '/work/statistics' })}
          />
        )}
        <Button icon="hand" onPress={handOver}>
          {t.work.handOver.open}
        </Button>
      </PaneHead>
      <Filters filter={filter} setFilter={setFilter} mailboxes={mailboxes} />
      <PrintoutsToCheck screen={t.work.title} />
      {!props.isOpen && <ChosenBar triage={triage} count={chosen.ids.size} onClear={chosen.clear} />}
      {list.items.length > 0 ? (
        <ListTable
          {...{ label, list, count, columns, cursor, rows }}
          leavesKeys={props.isOpen}
          rowHeight={TWO_LINES}
          rowClassName={hasMailboxes ? styles['cells'] : styles['few']}
        />
      ) : (
        <ListState list={list} filter={filter} setFilter={setFilter} />
      )}
      <ListProblem list={list} />
      <ListFoot keys={FOOT} wraps />
      {isHandingOver && <HandOver onClose={() => setHandingOver(false)} />}
    </Pane>
  );
}

function countText(list: WorkList, view: WorkView): string {
  if (list.isOpening) return '';
  const isOne = list.items.length === 1;
  const here = formatCount(list.items.length);
  const { count, countDone, moreThan, moreDone } = t.work;
  if (list.isWhole) return (view === 'done' ? countDone : count)(here, isOne);
  return (view === 'done' ? moreDone : moreThan)(here);
}

/** Shown in place of rows: loading, an error, nothing to do, or no matches. */
function ListState(props: { list: WorkList; filter: WorkFilter; setFilter: (filter: WorkFilter) => void }) {
  const { list, filter, setFilter } = props;
  const words = t.work.empty;
  const counts = useWorkCounts();
  if (list.isOpening) return <ListOpening error={list.error} retry={list.retry} />;
  if (filter.state !== null || filter.mailbox !== '' || filter.q !== '')
    return (
      <EmptyState
        icon="search"
        title={words.noneFits}
        action={
          <Button onPress={() => setFilter({ ...filter, state: null, mailbox: '', q: '' })}>
            {t.work.clear}
          </Button>
        }
      >
        {words.noneFitsSentence}
      </EmptyState>
    );
  const { title, sentence, see } = emptyWords(filter.view, counts);
  return (
    <EmptyState
      icon="work"
      title={title}
      action={
        see && (
          <Button onPress={() => setFilter({ ...filter, view: see })}>{words.show(t.work.views[see])}</Button>
        )
      }
    >
      {sentence}
    </EmptyState>
  );
}

interface EmptyWords {
  readonly title: string;
  readonly sentence: string;
  /** View in which there is something to do. */
  readonly see?: WorkView;
}

/** Says that a view is empty, and where open items are; that nothing is to do only when none is open anywhere. */
function emptyWords(view: WorkView, counts: ReturnType<typeof useWorkCounts>): EmptyWords {
  const words = t.work.empty;
  const { unassigned = 0 } = counts ?? {};
  const open = (counts?.open ?? 0) + (counts?.acknowledged ?? 0);
  const has = (count: number, say: (count: string, isOne: boolean) => string) =>
    say(formatCount(count), count === 1);
  switch (view) {
    case 'todo':
      if (counts === undefined) return { title: words.todo, sentence: '' };
      if (open === 0) return { title: words.nothing, sentence: words.nothingSentence };
      return { title: words.todo, sentence: has(open, words.todoSentence), see: 'all' };
    case 'mine':
      if (unassigned > 0)
        return { title: words.mine, sentence: has(unassigned, words.mineSentence), see: 'unassigned' };
      return { title: words.mine, sentence: words.mineNone };
    case 'unassigned':
    case 'overdue':
    case 'all':
    case 'done':
      return { title: words[view], sentence: words[`${view}Sentence`] };
  }
}
