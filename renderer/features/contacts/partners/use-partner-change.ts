import { useMutation } from '@tanstack/react-query';
import { partnersChanged } from '../../../api/partners.ts';
import { isRefused } from '../../../api/sentence.ts';

/** Makes one change of a partner. `onDone` receives the answer once the list was read again. */
export function usePartnerChange<Input, Answer>(
  make: (input: Input) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const change = useMutation({
    mutationFn: make,
    onSuccess: async (answer) => {
      await partnersChanged();
      onDone(answer);
    },
  });
  return {
    run: (input: Input) => {
      if (!change.isPending) change.mutate(input);
    },
    isPending: change.isPending,
    error: change.error,
    isStale: isRefused(change.error, 'stale'),
    reload: async () => {
      await partnersChanged();
      change.reset();
    },
  };
}
