import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LINE_BACKEND } from '../../../shared/backends.ts';
import { client } from '../../api/client.ts';
import { faxQuery } from '../../api/outbound.ts';
import { useInstallation, usePermission } from '../../api/queries.ts';
import { telephony } from '../../api/telephony.ts';
import { t } from '../../texts/administration.ts';
import { formatFully, usePhoneFormat } from '../../ui/format.ts';
import type { Fax } from '../fax-state.ts';

const POLL_EVERY_MS = 1_500;
const FINAL: readonly Fax['delivery_state'][] = ['success', 'failed', 'cancelled', 'held'];

/** Returns true when the state can still change without a person. */
export function isUnderWay(fax: Fax): boolean {
  return ![...FINAL, 'reconciliation_required'].includes(fax.delivery_state);
}

/**
 * Sends one page of text, as any fax is sent, and follows it until its outcome is known. Over the phone line, nothing
 * is sent while its check reports an error, and `problem` is the reason.
 */
export function useTestFax() {
  const installation = useInstallation();
  const isChecked = usePermission('providers:write') && installation?.sending.backend === LINE_BACKEND;
  const phone = usePhoneFormat();
  const [id, setId] = useState<string | null>(null);
  const sending = useMutation({
    mutationFn: async (args: { to: string; key: string }): Promise<Sent> => {
      const problem = isChecked ? await problemOfLine() : null;
      if (problem !== null) return { problem };
      const number = installation?.fax_number ? phone(installation.fax_number) : t.settings.notSet;
      const organization = installation?.organization ?? t.settings.notSet;
      const page = t.setup.test.page({ organization, number, at: formatFully(new Date().toISOString()) });
      const fax = await client.outbound.sendFax({
        fields: { to: args.to, send_by_call: 'true' },
        files: { file: [{ name: t.setup.test.fileName, content: new Blob([page], { type: 'text/plain' }) }] },
        headers: { 'Idempotency-Key': args.key },
      });
      return { fax };
    },
    onSuccess: (sent) => 'fax' in sent && setId(sent.fax.id),
  });
  const fax = useQuery({
    ...faxQuery(id ?? ''),
    enabled: id !== null,
    initialData: sending.data && 'fax' in sending.data ? sending.data.fax : undefined,
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data) ? false : POLL_EVERY_MS),
  });
  return {
    sending,
    problem: sending.data && 'problem' in sending.data ? sending.data.problem : null,
    fax: id === null ? null : (fax.data ?? null),
    another: () => setId(null),
  };
}

type Sent = { readonly fax: Fax } | { readonly problem: string };

/** The first thing that its check finds wrong, without a page within Asterisk. */
async function problemOfLine(): Promise<string | null> {
  const { checks } = await telephony.checkTelephony({ body: { loop: false } });
  return checks.find(({ ok }) => !ok)?.detail ?? null;
}
