import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import {
  type Connector as ConnectorAnswer,
  intakeRoutes,
  type MailDelivery,
} from '../../shared/api/intake.ts';
import { oauthRoutes } from '../../shared/api/intake-oauth.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import type { MailState } from '../../shared/states/intake.ts';
import { origin } from './client.ts';
import type { List } from './lists/list.ts';
import type { IsBefore } from './lists/row-order.ts';
import { useList } from './lists/use-list.ts';
import { queryClient } from './queries.ts';

export type Connector = z.infer<typeof ConnectorAnswer>;
export type Delivery = z.infer<typeof MailDelivery>;

/** Received faxes by e-mail. */
export const { intake, mailOAuth } = createRooms({ intake: intakeRoutes, mailOAuth: oauthRoutes }, origin);

/** By name. They change without an event. */
export const connectorsQuery = queryOptions({
  queryKey: ['mail-connectors'],
  queryFn: async ({ signal }) => (await intake.listConnectors({ signal })).items,
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});

/** Every query below this is read again when a delivery changed. */
const DELIVERIES = 'mail-deliveries';
/** A fax matches a connector or a few. */
const MAX_PER_FAX = 50;

/** Deliveries of a fax, newest first. */
export const deliveriesOfFaxQuery = (faxId: string) =>
  queryOptions({
    queryKey: [DELIVERIES, 'fax', faxId],
    queryFn: async ({ signal }) =>
      (await intake.listDeliveries({ query: { fax_id: faxId, limit: MAX_PER_FAX }, signal })).items,
    staleTime: 0,
  });

/** The newest one of a connector; null before its first. */
export const lastDeliveryQuery = (connectorId: string) =>
  queryOptions({
    queryKey: [DELIVERIES, 'connector', connectorId],
    queryFn: async ({ signal }) => {
      const query = { connector_id: connectorId, limit: 1 };
      return (await intake.listDeliveries({ query, signal })).items[0] ?? null;
    },
    staleTime: 0,
  });

/** One by its id; null when there is none. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [DELIVERIES, 'one', id],
    queryFn: async ({ signal }) =>
      (await intake.listDeliveries({ query: { ids: id, limit: 1 }, signal })).items[0] ?? null,
    staleTime: 0,
  });

/** Number of deliveries in each state. */
export const deliveryCountsQuery = queryOptions({
  queryKey: [DELIVERIES, 'counts'],
  queryFn: async ({ signal }) => (await intake.listDeliveries({ query: { limit: 1 }, signal })).counts,
  staleTime: 0,
});

const newestFirst: IsBefore<Delivery> = (row, other) =>
  row.recorded_at > other.recorded_at || (row.recorded_at === other.recorded_at && row.id > other.id);

/** Deliveries in a state, or all for null; newest first and kept up to date. */
export function useDeliveries(state: MailState | null): List<Delivery> {
  const filter = state === null ? {} : { state };
  return useList({
    key: ['mail-delivery-list', state],
    read: (request, signal) => intake.listDeliveries({ query: { ...filter, ...request }, signal }),
    live: {
      kind: 'intake.changed',
      isUnfiltered: state === null,
      isBefore: newestFirst,
      fetchRows: async (ids, underFilter) => {
        const asked = { ...(underFilter && filter), ids: ids.join(), limit: ids.length };
        return (await intake.listDeliveries({ query: asked })).items;
      },
    },
  });
}

/** Reads deliveries again after a change of one's own, before its event comes. */
export function deliveriesChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [DELIVERIES] });
}
