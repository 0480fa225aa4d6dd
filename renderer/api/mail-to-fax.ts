import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { type MailSender, type MailToFaxMessage, mailToFaxRoutes } from '../../shared/api/mail-to-fax.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import type { MailToFaxState } from '../../shared/states/mail-to-fax.ts';
import { origin } from './client.ts';
import type { List } from './lists/list.ts';
import { useList } from './lists/use-list.ts';

export type Message = z.infer<typeof MailToFaxMessage>;
export type Sender = z.infer<typeof MailSender>;

/** E-mails that are sent as faxes. */
export const { mailToFax } = createRooms({ mailToFax: mailToFaxRoutes }, origin);

/** They change without an event. */
const POLL_MS = 10_000;

/** One by its id; null when there is none. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['mail-to-fax', 'one', id],
    queryFn: async ({ signal }) =>
      (await mailToFax.listMessages({ query: { ids: id, limit: 1 }, signal })).items[0] ?? null,
    staleTime: 0,
    refetchInterval: POLL_MS,
  });

/** Number of messages in each state. */
export const messageCountsQuery = queryOptions({
  queryKey: ['mail-to-fax', 'counts'],
  queryFn: async ({ signal }) => (await mailToFax.listMessages({ query: { limit: 1 }, signal })).counts,
  staleTime: 0,
  refetchInterval: POLL_MS,
});

/** Messages in a state, or all for null; newest first. */
export function useMessages(state: MailToFaxState | null): List<Message> {
  const filter = state === null ? {} : { state };
  return useList({
    key: ['mail-to-fax-list', state],
    read: (request, signal) => mailToFax.listMessages({ query: { ...filter, ...request }, signal }),
    intervalMs: POLL_MS,
  });
}

/** People whose messages are sent as faxes. Read again together with the other queries about people. */
export const sendersQuery = queryOptions({
  queryKey: ['access', 'mail-senders'],
  queryFn: async ({ signal }) => (await mailToFax.listSenders({ signal })).items,
  staleTime: 0,
});
