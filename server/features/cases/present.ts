import type { z } from 'zod';
import type { casesRoutes } from '../../../shared/api/cases.ts';
import { STATUS_OF } from '../../../shared/states/outbound.ts';
import { type FaxRecord, packetOf } from '../outbound/types.ts';

type CasePacket = z.infer<(typeof casesRoutes.getCase)['answer']['schema']>['items'][number];

/** A packet as the contract shows it. */
export function presentPacket({ job, contact }: Pick<FaxRecord, 'job' | 'contact'>): CasePacket {
  return {
    fax_id: job.id,
    to: job.to_number,
    contact,
    status: STATUS_OF[job.delivery_state],
    delivery_state: job.delivery_state,
    error: job.error,
    pages: job.document_pages,
    documents: [...packetOf(job)],
    created_at: job.created_at,
    created_by: { id: job.created_by, name: job.created_by_name },
    test: job.test === 1,
  };
}
