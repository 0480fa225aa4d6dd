import { useMutation } from '@tanstack/react-query';
import { isStale, readAccessAgain } from '../../../api/access.ts';

export interface Change<Input> {
  readonly run: (input: Input) => void;
  readonly isPending: boolean;
  /** Why nothing was changed; null while all is well. */
  readonly error: unknown;
  /** Somebody was faster: what is shown must be read again first. */
  readonly isStale: boolean;
  /** Reads again; what was typed stays. */
  readonly reload: () => Promise<void>;
  /** Forgets what the last try said. */
  readonly forget: () => void;
}

/** One change of who may do what. `onDone` hears the answer when everything was read again. */
export function useChange<Input, Answer>(
  make: (input: Input) => Promise<Answer>,
  onDone: (answer: Answer) => void = () => {},
): Change<Input> {
  const change = useMutation({
    mutationFn: make,
    onSuccess: async (answer) => {
      await readAccessAgain();
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
      await readAccessAgain();
      change.reset();
    },
    forget: change.reset,
  };
}
