import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import type { InboundFax } from '../../api/inbound.ts';
import { useInstallation, usePermission } from '../../api/queries.ts';
import type { Fax } from '../fax-state.ts';

const POLL_MS = 1_500;
/** A carrier that passes no number on. */
const UNKNOWN = 'Unknown';

/** The number at which faxes come in here; null when none do. */
export function useOwnNumber(): string | null {
  const installation = useInstallation();
  return installation?.receiving.enabled === true ? installation.fax_number : null;
}

/**
 * Returns the received fax that a fax to our own number became; null while there is none, and for a fax to another
 * number.
 */
export function useReturnedFax(fax: Fax): InboundFax | null {
  const own = useOwnNumber();
  const mayList = usePermission('inbound:list');
  const isAsked = own === fax.to && mayList && ['in_progress', 'success'].includes(fax.delivery_state);
  const found = useQuery({
    queryKey: ['test-fax', fax.id, 'came-back'],
    enabled: isAsked,
    queryFn: async ({ signal }) => {
      const query = { to_number: fax.to, since: fax.created_at, limit: 20 };
      return oldestFrom(await client.inbound.listInbound({ query, signal }), fax.to);
    },
    refetchInterval: ({ state }) => (state.data?.status === 'received' ? false : POLL_MS),
  });
  return isAsked ? (found.data ?? null) : null;
}

/** The list has the newest first. */
function oldestFrom(faxes: readonly InboundFax[], own: string): InboundFax | null {
  const oldest = faxes.toReversed();
  return oldest.find(({ fr }) => fr === own) ?? oldest.find(({ fr }) => fr === UNKNOWN) ?? null;
}
