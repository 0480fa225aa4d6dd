import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { queryClient } from '../../../api/queries.ts';
import { isStatus } from '../../../api/sentence.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { randomId } from '../draft/draft.ts';

/** Releases or cancels the version of the fax that is looked at. Refused because it changed, it is read again. */
export function useFaxCommand(fax: Fax) {
  return useMutation({
    mutationFn: (name: 'release' | 'cancel') => {
      const input = { params: { id: fax.id }, body: { delivery_version: fax.delivery_version } };
      return name === 'release' ? client.outbound.releaseFax(input) : client.outbound.cancelFax(input);
    },
    onSuccess: (changed) => {
      queryClient.setQueryData(['fax', fax.id], changed);
      void queryClient.invalidateQueries({ queryKey: ['fax', fax.id, 'history'] });
    },
    onError: (error) => {
      if (isStatus(error, 409)) void queryClient.invalidateQueries({ queryKey: ['fax', fax.id] });
    },
  });
}

/** Sends the same document again, once for each look at the fax however often it is pressed. */
export function useResend(fax: Fax) {
  const navigate = useNavigate();
  const [key] = useState(randomId);
  return useMutation({
    mutationFn: () =>
      client.outbound.resendFax({ params: { id: fax.id }, headers: { 'Idempotency-Key': key }, body: {} }),
    onSuccess: (sent) => {
      queryClient.setQueryData(['fax', sent.id], sent);
      void queryClient.invalidateQueries({ queryKey: ['fax-list'] });
      void navigate({ to: '/send/$faxId', params: { faxId: sent.id } });
    },
  });
}
