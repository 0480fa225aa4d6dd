import { transmittedPages } from './transmitted-pages.ts';
import type { AttemptRow, JobRow } from './types.ts';

/**
 * Returns the number of pages that certainly arrived; null while unknown. For a failed fax, providers report the length of
 * the document as its page count, which confirms nothing; older rows have it here.
 */
export function confirmedPages(
  job: Pick<JobRow, 'delivery_state' | 'document_pages'>,
  attempt: Pick<AttemptRow, 'pages_sent' | 'transport' | 'encoded_pages'>,
): number | null {
  const { pages_sent, transport } = attempt;
  const isLength = pages_sent !== null && pages_sent >= transmittedPages(job, attempt);
  return job.delivery_state === 'failed' && transport === 'provider' && isLength ? null : pages_sent;
}
