import { ListOpening } from '../../parts/lists/list-state.tsx';
import { t } from '../../texts/work.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { WorkFilter } from './filter.ts';
import type { WorkList } from './use-work-list.ts';

/** Shown in place of rows: loading, an error, nothing to do, or no matches. */
export function ListState(props: {
  list: WorkList;
  filter: WorkFilter;
  setFilter: (filter: WorkFilter) => void;
}) {
  const { list, filter, setFilter } = props;
  const words = t.work.empty;
  const { view } = filter;
  if (list.isOpening) return <ListOpening error={list.error} retry={list.retry} />;
  if (filter.state !== null || filter.mailbox !== '')
    return (
      <EmptyState
        icon="search"
        title={words.noneFits}
        action={
          <Button onPress={() => setFilter({ ...filter, state: null, mailbox: '' })}>{t.work.clear}</Button>
        }
      >
        {words.noneFitsSentence}
      </EmptyState>
    );
  const others = (
    <Button onPress={() => setFilter({ ...filter, view: 'unassigned' })}>{words.showUnassigned}</Button>
  );
  return (
    <EmptyState icon="work" title={words[view]} action={view === 'mine' && others}>
      {words[`${view}Sentence`]}
    </EmptyState>
  );
}
