import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useInstallation } from '../../api/queries.ts';
import type { Fax } from '../../parts/fax-state.ts';
import { t } from '../../texts/house.ts';
import { formatFully, usePhoneFormat } from '../../ui/format.ts';

const POLL_EVERY_MS = 1_500;
const FINAL: readonly Fax['delivery_state'][] = ['success', 'failed', 'cancelled', 'held'];

/** Whether the state can still change without a person. */
export function isUnderWay(fax: Fax): boolean {
  return ![...FINAL, 'reconciliation_required'].includes(fax.delivery_state);
}

/** One page of text, sent as any fax is, and followed until its outcome is known. */
export function useTestFax() {
  const installation = useInstallation();
  const phone = usePhoneFormat();
  const [id, setId] = useState<string | null>(null);
  const sending = useMutation({
    mutationFn: (args: { to: string; key: string }) => {
      const number = installation?.fax_number ? phone(installation.fax_number) : t.settings.notSet;
      const organization = installation?.organization ?? t.settings.notSet;
      const page = t.setup.test.page({ organization, number, at: formatFully(new Date().toISOString()) });
      return client.outbound.sendFax({
        fields: { to: args.to, send_by_call: 'true' },
        files: { file: [{ name: t.setup.test.fileName, content: new Blob([page], { type: 'text/plain' }) }] },
        headers: { 'Idempotency-Key': args.key },
      });
    },
    onSuccess: (fax) => setId(fax.id),
  });
  const fax = useQuery({
    queryKey: ['fax', id],
    enabled: id !== null,
    initialData: sending.data,
    queryFn: ({ signal }) => client.outbound.getFax({ params: { id: id ?? '' }, signal }),
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data) ? false : POLL_EVERY_MS),
  });
  return { sending, fax: id === null ? null : (fax.data ?? null), another: () => setId(null) };
}
