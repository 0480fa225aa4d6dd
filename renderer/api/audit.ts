import { queryOptions } from '@tanstack/react-query';
import { auditRoutes } from '../../shared/api/audit.ts';
import { DOCUMENT_OPERATIONS } from '../../shared/audit-operations.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** Client of the security audit of a fax. Loaded on demand, not with the first screen. */
const { audit } = createRooms({ audit: auditRoutes }, origin);

const MAX_ENTRIES = 50;

/** People who opened the documents of a fax, newest first. Read again each time it is shown. */
export const openedByQuery = (faxId: string) =>
  queryOptions({
    queryKey: ['opened-by', faxId],
    gcTime: 0,
    staleTime: 0,
    queryFn: ({ signal }) =>
      audit.listAudit({
        query: { target_id: faxId, operation: [...DOCUMENT_OPERATIONS], outcome: 'done', limit: MAX_ENTRIES },
        signal,
      }),
  });
