import { useQuery } from '@tanstack/react-query';
import { costs } from '../../../api/costs.ts';

/** A fax that would be sent with a call. */
export interface QuotedFax {
  /** E.164. */
  readonly to: string;
  readonly pages: number;
  /** Estimated duration of the call, from the preview. */
  readonly seconds: number;
  /** As a date and time field writes it; empty for now. */
  readonly sendAt: string;
}

/** Returns the transports that the fax would take and their costs; undefined while they load. */
export function useQuote({ to, pages, seconds, sendAt }: QuotedFax) {
  const at = Date.parse(sendAt);
  const later = Number.isNaN(at) ? {} : { send_at: new Date(at).toISOString() };
  const query = { to, pages: String(pages), seconds: String(seconds), by_call: 'true', ...later };
  const { data } = useQuery({
    queryKey: ['quote', query],
    queryFn: ({ signal }) => costs.quote({ query, signal }),
    // Rate cards change, and pages of a monthly fee are used up.
    staleTime: 0,
  });
  return data;
}
