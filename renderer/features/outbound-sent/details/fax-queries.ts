import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';

/** One fax; read again whenever it changes. */
export const faxQuery = (id: string) =>
  queryOptions({
    queryKey: ['fax', id],
    queryFn: ({ signal }) => client.outbound.getFax({ params: { id }, signal }),
  });

export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: ['fax', id, 'history'],
    queryFn: ({ signal }) => client.outbound.faxHistory({ params: { id }, signal }),
  });
