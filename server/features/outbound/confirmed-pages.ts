import type { AttemptRow, JobRow } from './types.ts';

/**
 * Returns the number of pages that certainly arrived; null while unknown. For a failed fax, providers report the length of
 * the document as its page count, which confirms nothing; older rows have it here.
 */
export function confirmedPages(
  { delivery_state, document_pages }: Pick<JobRow, 'delivery_state' | 'document_pages'>,
  { pages_sent, transport }: Pick<AttemptRow, 'pages_sent' | 'transport'>,
): number | null {
  const isLength = pages_sent !== null && pages_sent >= document_pages;
  return delivery_state === 'failed' && transport === 'provider' && isLength ? null : pages_sent;
}
