import { queryOptions } from '@tanstack/react-query';
import { broadcastsRoutes } from '../../shared/api/broadcasts.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** Client of the broadcasts room. It is loaded with the screen of broadcasts, not with the first screen. */
export const { broadcasts } = createRooms({ broadcasts: broadcastsRoutes }, origin);

export type Broadcast = Awaited<ReturnType<typeof broadcasts.getBroadcast>>;
export type CheckedList = Awaited<ReturnType<typeof broadcasts.sendBroadcast>>;
export type Recipient = Awaited<ReturnType<typeof broadcasts.listRecipients>>['items'][number];

/** Query of a broadcast with its counts. */
export const broadcastQuery = (id: string) =>
  queryOptions({
    queryKey: ['broadcasts', 'one', id],
    queryFn: ({ signal }) => broadcasts.getBroadcast({ params: { id }, signal }),
    refetchOnMount: 'always',
    retry: false,
  });

/** Query of the first `limit` recipients of a broadcast. `isWhole` is true when there are no others. */
export const recipientsQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['broadcasts', 'recipients', id, limit],
    queryFn: ({ signal }) => readRecipients(id, limit, signal),
    refetchOnMount: 'always',
    retry: false,
  });

/** Maximum number of recipients in one request. */
const PAGE_SIZE = 200;

async function readRecipients(id: string, limit: number, signal: AbortSignal) {
  const items: Recipient[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: Math.min(PAGE_SIZE, limit - items.length), ...(cursor && { cursor }) };
    const page = await broadcasts.listRecipients({ params: { id }, query, signal });
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && items.length < limit);
  return { items, isWhole: cursor === undefined };
}
