import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../../api/client.ts';
import { refetchFax, storeFax } from '../../../api/outbound.ts';
import { isStatus } from '../../../api/sentence.ts';
import type { Fax } from '../../../parts/fax-state.ts';

/** Releases or cancels the version of the fax that is looked at. Refused because it changed, it is read again. */
export function useFaxCommand(fax: Fax) {
  return useMutation({
    mutationFn: (name: 'release' | 'cancel') => {
      const input = { params: { id: fax.id }, body: { delivery_version: fax.delivery_version } };
      return name === 'release' ? client.outbound.releaseFax(input) : client.outbound.cancelFax(input);
    },
    onSuccess: storeFax,
    onError: (error) => {
      if (isStatus(error, 409)) refetchFax(fax.id);
    },
  });
}

/** Tries a busy or unanswered number again in a few minutes: one new fax, however often it is called. */
export function useTryAgain(fax: Fax) {
  const show = useShowSent();
  return useMutation({
    mutationFn: () => client.outbound.tryFaxAgain({ params: { id: fax.id } }),
    onSuccess: (sent) => {
      // The first fax names the second from now on.
      refetchFax(fax.id);
      show(sent);
    },
  });
}

/** Goes to a fax that was just made of another one. */
function useShowSent(): (sent: Fax) => void {
  const navigate = useNavigate();
  return (sent) => {
    storeFax(sent);
    void navigate({ to: '/send/$faxId', params: { faxId: sent.id } });
  };
}
