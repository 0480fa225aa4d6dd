import { useMutation } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { queryClient } from '../../../api/queries.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/sent.ts';
import { usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';

/** Tries a busy or unanswered number again in a few minutes: one new fax, however often it is called. */
export function useTryAgain(fax: Fax, onSent: (id: string) => void) {
  const phone = usePhoneFormat();
  return useMutation({
    mutationFn: () => client.outbound.tryFaxAgain({ params: { id: fax.id } }),
    onSuccess: (sent) => {
      announce(t.sent.resend.sent(phone(sent.to)));
      void queryClient.invalidateQueries({ queryKey: ['fax', fax.id] });
      onSent(sent.id);
    },
  });
}
