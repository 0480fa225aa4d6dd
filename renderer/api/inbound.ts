import { queryOptions, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { InboundFax as InboundFaxSchema } from '../../shared/api/inbound-shapes.ts';
import { client } from './client.ts';
import { useInstallation, usePermission } from './queries.ts';

export type InboundFax = z.infer<typeof InboundFaxSchema>;

/** One received fax; read again whenever it changes. */
export const inboundQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbound', id],
    queryFn: ({ signal }) => client.inbound.getInbound({ params: { id }, signal }),
  });

export const evidenceQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbound', id, 'evidence'],
    queryFn: ({ signal }) => client.inbound.inboundEvidence({ params: { id }, signal }),
  });

/** People who read the fax, in the order of reading. */
export const readersQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbound', id, 'readers'],
    queryFn: ({ signal }) => client.inbound.inboundReaders({ params: { id }, signal }),
  });

/** The mailboxes that the person may move the fax to. */
export const inboundTargetsQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbound', id, 'move'],
    queryFn: ({ signal }) => client.inbound.inboundTargets({ params: { id }, signal }),
  });

/** Returns true when receiving is on; undefined before the installation is loaded. */
export function useReceives(): boolean | undefined {
  return useInstallation()?.receiving.enabled;
}

/** Unread, waiting and failed faxes that the person may see; undefined without the right to list them. */
export function useInboundCounts() {
  const enabled = usePermission('inbound:list');
  const counts = useQuery({
    queryKey: ['inbound-counts'],
    enabled,
    queryFn: ({ signal }) => client.inbound.countInbound({ signal }),
  }).data;
  return enabled ? counts : undefined;
}
