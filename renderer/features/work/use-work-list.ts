import { client } from '../../api/client.ts';
import type { List } from '../../api/lists/list.ts';
import type { IsBefore } from '../../api/lists/row-order.ts';
import { useList } from '../../api/lists/use-list.ts';
import type { WorkItem } from '../../api/work.ts';
import { isListed, queryOf, type WorkFilter } from './filter.ts';

export type WorkList = List<WorkItem>;

/** The work items of a filter, kept up to date. */
export function useWorkList(filter: WorkFilter): WorkList {
  const query = queryOf(filter);
  return useList({
    key: ['work-list', query],
    read: (request, signal) => client.work.listWork({ query: { ...query, ...request }, signal }),
    live: {
      kind: 'work.changed',
      isUnfiltered: filter.view === 'all' && Object.keys(query).length === 1,
      isBefore: dueFirst,
      canMove: true,
      leaves: (item) => !isListed(filter, item),
      fetchRows: async (ids, underFilter) => {
        const asked = { ...(underFilter && query), ids: ids.join(), limit: ids.length };
        return (await client.work.listWork({ query: asked })).items;
      },
    },
  });
}

const RANKS: Readonly<Record<WorkItem['state'], number>> = { open: 0, acknowledged: 1, done: 2 };

/** The order of the queue: open, acknowledged, done; then what is due first; then the newest. */
const dueFirst: IsBefore<WorkItem> = (row, other) => {
  const [a, b] = [keyOf(row), keyOf(other)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] as number | string) < (b[at] as number | string);
};

function keyOf(row: WorkItem): readonly [number, number, number, string] {
  const due = row.state === 'done' || row.due_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.due_at);
  return [RANKS[row.state], due, -Date.parse(row.available_at), row.id];
}
