import { useQuery } from '@tanstack/react-query';
import { webhooksRoutes } from '../../../../shared/api/webhooks.ts';
import { createRooms } from '../../../../shared/client/rooms.ts';
import { access } from '../../../api/access.ts';
import { origin } from '../../../api/client.ts';
import { usePermission } from '../../../api/queries.ts';
import { type AccessPage, type AccessRows, useAccessRows } from '../lists/access-rows.ts';

/** Client of the routes of webhooks. Loaded with their part of Access. */
export const { webhooks } = createRooms({ webhooks: webhooksRoutes }, origin);

type Endpoints = Awaited<ReturnType<typeof webhooks.listEndpoints>>;
export type Webhook = Endpoints['items'][number];
export type Delivery = Awaited<ReturnType<typeof webhooks.listDeliveries>>['items'][number];

/** Secret that was made just now, and for which webhook. */
export interface NewSecret {
  readonly id: string;
  readonly secret: string;
}

const MAX_INTEGRATIONS = 200;
/** Deliveries change on their own while the gateway sends. */
const DELIVERIES_EVERY_MS = 5_000;

interface WebhookPage extends AccessPage<Webhook> {
  readonly enabled: boolean;
}

/** Every webhook, and whether any are sent. */
export function useWebhooks(): AccessRows<Webhook> & { readonly areOn: boolean } {
  const on = useQuery({
    queryKey: ['access', 'webhooks', 'on'],
    staleTime: 0,
    queryFn: ({ signal }) => webhooks.listEndpoints({ signal }),
  });
  const list = useAccessRows<Webhook>({
    key: ['webhooks'],
    isShort: true,
    intervalMs: DELIVERIES_EVERY_MS,
    read: async (_request, signal): Promise<WebhookPage> => ({
      ...(await webhooks.listEndpoints({ signal })),
      next_cursor: null,
    }),
  });
  return { ...list, areOn: on.data?.enabled ?? true };
}

/** Deliveries of a webhook, newest first. */
export const useWebhookDeliveries = (endpointId: string) =>
  useAccessRows<Delivery>({
    key: ['webhooks', endpointId, 'deliveries'],
    intervalMs: DELIVERIES_EVERY_MS,
    read: (page, signal) => webhooks.listDeliveries({ query: { ...page, endpoint_id: endpointId }, signal }),
  });

/** One delivery with its attempts, which belong to its version: no change of access reads them again. */
export const useAttempts = ({ id, version }: Delivery) =>
  useQuery({
    queryKey: ['webhook delivery', id, version],
    queryFn: ({ signal }) => webhooks.getDelivery({ params: { id }, signal }),
  });

/** Integrations by name; null while they load, or where the person may not see them. */
export function useIntegrations(): readonly { readonly id: string; readonly name: string }[] | null {
  const maySee = usePermission('users:read');
  const found = useQuery({
    queryKey: ['access', 'webhooks', 'integrations'],
    enabled: maySee,
    staleTime: 0,
    queryFn: ({ signal }) =>
      access.people.listUsers({ query: { kind: 'integration', limit: MAX_INTEGRATIONS }, signal }),
  });
  if (!maySee) return [];
  return found.data?.items.map(({ id, display_name }) => ({ id, name: display_name })) ?? null;
}
