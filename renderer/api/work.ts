import { queryOptions, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { WorkItem as WorkItemSchema } from '../../shared/api/work-shapes.ts';
import { client } from './client.ts';
import { newest, readAgain } from './newest.ts';
import { paintedIfKnown } from './painted.ts';
import { queryClient, usePermission } from './queries.ts';
import { readSoon } from './read-soon.ts';

export type WorkItem = z.infer<typeof WorkItemSchema>;

/** Items per request. */
const BATCH_SIZE = 100;

/** One work item; read again whenever it changes. */
export const workQuery = (id: string) =>
  queryOptions({
    queryKey: ['work', id],
    queryFn: async ({ queryKey, signal }) => {
      await paintedIfKnown(queryKey);
      return client.work.getWork({ params: { id }, signal });
    },
  });

export const workHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: ['work', id, 'history'],
    queryFn: ({ signal }) => client.work.workHistory({ params: { id }, signal }),
  });

/** People the item can be assigned to, by name. */
export const assigneesQuery = (id: string) =>
  queryOptions({
    queryKey: ['work-assignees', id],
    queryFn: async ({ signal }) => (await client.work.workAssignees({ params: { id }, signal })).people,
    // Access changes without an event.
    staleTime: 60_000,
  });

/** Sentences for the note of a finished item, and the person's own last one. */
export const workNotesQuery = queryOptions({
  queryKey: ['work-notes'],
  queryFn: ({ signal }) => client.work.workNotes({ signal }),
  // The most used notes change slowly.
  staleTime: 300_000,
});

/** Row of one item for use in other lists; null where it may not be seen. Rows in sight are requested together. */
export const workRowQuery = (id: string) =>
  queryOptions({ queryKey: ['work-row', id], queryFn: () => readRow(id) });

type PendingRows = Map<string, PromiseWithResolvers<WorkItem | null>>;
let pendingRows: PendingRows | null = null;

async function readRow(id: string): Promise<WorkItem | null> {
  if (pendingRows === null || pendingRows.size >= BATCH_SIZE) {
    const batch: PendingRows = new Map();
    pendingRows = batch;
    setTimeout(() => {
      if (pendingRows === batch) pendingRows = null;
      void fetchBatch(batch);
    }, 0);
  }
  const waiting = pendingRows.get(id) ?? Promise.withResolvers<WorkItem | null>();
  pendingRows.set(id, waiting);
  return waiting.promise;
}

async function fetchBatch(batch: PendingRows): Promise<void> {
  try {
    const ids = [...batch.keys()];
    const { items } = await client.work.listWork({ query: { ids: ids.join(), limit: ids.length } });
    const found = new Map(items.map((item) => [item.id, item]));
    for (const [id, { resolve }] of batch) resolve(found.get(id) ?? null);
  } catch (error) {
    for (const { reject } of batch.values()) reject(error);
  }
}

/** Returns the counts of open work; undefined where the person sees none of the queue. */
export function useWorkCounts() {
  const enabled = usePermission('work:read');
  const counts = useQuery({
    queryKey: ['work-counts'],
    enabled,
    queryFn: ({ signal }) => client.work.countWork({ signal }),
  }).data;
  return enabled ? counts : undefined;
}

/** Shows the item in the gateway's response to a change at once, and reads again what the response does not contain. */
export function storeItem(item: WorkItem): void {
  queryClient.setQueryData(
    workQuery(item.id).queryKey,
    (before) => before && newest(before, { ...before, ...item }),
  );
  queryClient.setQueryData(workRowQuery(item.id).queryKey, (before) =>
    before ? newest(before, item) : item,
  );
  refetchItem(item.id);
}

/** Reads everything of an item again. */
export function refetchItem(id: string | null): void {
  readAgain(queryClient, { queryKey: ['work', id] });
  readAgain(queryClient, { queryKey: ['work-row', id] });
  readSoon(['work-counts']);
}
