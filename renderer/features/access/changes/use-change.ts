import { useMutation } from '@tanstack/react-query';
import { isStale, refetchAccess } from '../../../api/access.ts';

export interface Change<Input> {
  readonly run: (input: Input) => void;
  readonly isPending: boolean;
  /** Error of the last try; null when it succeeded. */
  readonly error: unknown;
  /** Somebody was faster: what is shown must be read again first. */
  readonly isStale: boolean;
  /** Reads again; what was typed stays. */
  readonly reload: () => Promise<void>;
  /** Clears the error of the last try. */
  readonly forget: () => void;
}

/** Makes one change of access. `onDone` receives the response once everything was read again. */
export function useChange<Input, Answer>(
  make: (input: Input) => Promise<Answer>,
  onDone: (answer: Answer) => void = () => {},
): Change<Input> {
  const change = useMutation({
    mutationFn: make,
    onSuccess: async (answer) => {
      await refetchAccess();
      onDone(answer);
    },
  });
  return {
    run: (input) => {
      if (!change.isPending) change.mutate(input);
    },
    isPending: change.isPending,
    error: change.error,
    isStale: isStale(change.error),
    reload: async () => {
      await refetchAccess();
      change.reset();
    },
    forget: change.reset,
  };
}
