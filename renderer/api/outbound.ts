import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import type { FaxJob } from '../../shared/api/outbound-shapes.ts';
import { client } from './client.ts';
import { useInFront } from './in-front.ts';
import { queryClient, sessionMayHaveEnded, useMe, usePermission } from './queries.ts';

export type Fax = z.infer<typeof FaxJob>;

/** One sent fax; read again whenever it changes. */
export const faxQuery = (id: string) =>
  queryOptions({
    queryKey: ['fax', id],
    queryFn: ({ signal }) => client.outbound.getFax({ params: { id }, signal }),
  });

export const faxHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: ['fax', id, 'history'],
    queryFn: ({ signal }) => client.outbound.faxHistory({ params: { id }, signal }),
  });

/** Subject, reference and type of the last fax with a number. */
export const aboutProposalQuery = (number: string) =>
  queryOptions({
    queryKey: ['about-proposal', number],
    queryFn: ({ signal }) => client.outbound.proposeAbout({ query: { number }, signal }),
  });

/** Changes subject, reference and type. Rejects with 409 when the values seen before changed since. */
export async function describeFax(
  id: string,
  body: Parameters<typeof client.outbound.describeFax>[0]['body'],
): Promise<Fax> {
  return client.outbound.describeFax({ params: { id }, body });
}

/** Faxes by state, of everybody and of the caller. */
export const faxCountsQuery = queryOptions({
  queryKey: ['fax-counts'],
  queryFn: ({ signal }) => client.outbound.countFaxes({ signal }),
});

/** Own faxes that need an answer, or failed and were not looked at since; 0 without the right to see faxes. */
export function useAttentionCount(): number {
  const mayRead = usePermission('fax:read');
  const counts = useQuery({ ...faxCountsQuery, enabled: mayRead }).data;
  return mayRead && counts ? counts.mine.reconciliation_required + counts.unseen_failed : 0;
}

/**
 * Notes that the person who sent it sees that it failed, once they have it before them. Its page may still stand there when
 * they have left it, until the next screen is loaded: the address has gone ahead.
 */
export function useSeenMark({ id, delivery_state, created_by }: Fax): void {
  const isInFront = useInFront();
  const isOwn = useMe()?.principal.id === created_by.id;
  const unseen = useQuery({ ...faxCountsQuery, enabled: isOwn }).data?.unseen_failed ?? 0;
  const isNew = isInFront && isOwn && delivery_state === 'failed' && unseen > 0;
  useEffect(() => {
    if (!isNew || !window.location.pathname.endsWith(`/${id}`)) return;
    client.outbound
      .seenFax({ params: { id } })
      .then(() => queryClient.invalidateQueries({ queryKey: faxCountsQuery.queryKey }))
      // The next look at the fax records it.
      .catch(sessionMayHaveEnded);
  }, [id, isNew]);
}

/** Shows the fax in the response to a command at once, unless a newer version arrived meanwhile. */
export function storeFax(fax: Fax): void {
  queryClient.setQueryData(faxQuery(fax.id).queryKey, fax);
  void queryClient.invalidateQueries({ queryKey: faxHistoryQuery(fax.id).queryKey });
}

/** Moves a scheduled fax to another time (ISO); null sends it now. Rejects with 409 when another change came first. */
export async function schedule({ id, delivery_version }: Fax, sendAt: string | null): Promise<Fax> {
  const body = { delivery_version, send_at: sendAt };
  return client.outbound.scheduleFax({ params: { id }, body });
}

/** Refused because it changed: it is read again. */
export function refetchFax(id: string): void {
  void queryClient.invalidateQueries({ queryKey: faxQuery(id).queryKey });
}
