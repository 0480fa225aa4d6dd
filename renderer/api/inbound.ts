import { queryOptions, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { InboundFax as InboundFaxSchema } from '../../shared/api/inbound-shapes.ts';
import { client } from './client.ts';
import { newest, readAgain } from './newest.ts';
import { paintedIfKnown } from './painted.ts';
import { queryClient, useInstallation, usePermission } from './queries.ts';

export type InboundFax = z.infer<typeof InboundFaxSchema>;

/** One received fax; read again whenever it changes. */
export const inboundQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbound', id],
    queryFn: async ({ queryKey, signal }) => {
      await paintedIfKnown(queryKey);
      return client.inbound.getInbound({ params: { id }, signal });
    },
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

/** Shows a fax in the gateway's response to a change at once. */
export function storeFax(fax: InboundFax): void {
  queryClient.setQueryData(inboundQuery(fax.id).queryKey, (before) => (before ? newest(before, fax) : fax));
}

/** Changes what a fax is about, for everyone. Rejects with 409 when the values seen before changed since. */
export async function describeInbound(
  id: string,
  body: Parameters<typeof client.inbound.describeInbound>[0]['body'],
): Promise<InboundFax> {
  return client.inbound.describeInbound({ params: { id }, body });
}

/** Refused because it changed: it is read again. */
export function refetchInbound(id: string): void {
  void queryClient.invalidateQueries({ queryKey: inboundQuery(id).queryKey });
}

/** The blocked senders; read again whenever a fax or the list changes. */
export const blockedSendersQuery = queryOptions({
  queryKey: ['inbound', 'blocked-senders'],
  queryFn: ({ signal }) => client.junk.blockedSenders({ signal }),
  // The later answer holds, also with fewer senders.
  structuralSharing: true,
});

/** Reads the blocked senders again, after they changed. */
export const refetchBlocked = () => readAgain(queryClient, { queryKey: blockedSendersQuery.queryKey });

/** Returns true when receiving is on; undefined before the installation is loaded. */
export function useReceives(): boolean | undefined {
  return useInstallation()?.receiving.enabled;
}

/** Unread, waiting, failed and junk faxes that the person may see; undefined without the right to list them. */
export function useInboundCounts() {
  const enabled = usePermission('inbound:list');
  const counts = useQuery({
    queryKey: ['inbound-counts'],
    enabled,
    queryFn: ({ signal }) => client.inbound.countInbound({ signal }),
  }).data;
  return enabled ? counts : undefined;
}
