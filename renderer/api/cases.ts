import { queryOptions } from '@tanstack/react-query';
import { casesRoutes } from '../../shared/api/cases.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** Client of the cases room. It is loaded with the screen of cases, not with the first screen. */
export const { cases } = createRooms({ cases: casesRoutes }, origin);

/** A case in the list, by its id. */
export type CaseRow = Awaited<ReturnType<typeof cases.listCases>>['items'][number] & { readonly id: string };
export type CasePacket = Awaited<ReturnType<typeof cases.getCase>>['items'][number];
export type ComposedPacket = Awaited<ReturnType<typeof cases.sendCase>>;

/** The packets of a case, the newest 200. */
export const caseQuery = (caseId: string) =>
  queryOptions({
    queryKey: ['cases', 'one', caseId],
    queryFn: ({ signal }) => cases.getCase({ params: { case_id: caseId }, query: { limit: 200 }, signal }),
    refetchOnMount: 'always',
    retry: false,
  });
