import { useCallback, useState } from 'react';
import type { DraftKeeper } from '../draft/draft-store.ts';
import { takeFiles } from './incoming-files.ts';

/** Files on their way into the draft, and those that were turned away. */
export function useIncoming(keeper: DraftKeeper, mostMegabytes: number) {
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const add = useCallback(
    (offered: readonly File[]) => {
      void keeper.loaded
        .then(() => takeFiles(offered, keeper.get().draft.files, mostMegabytes))
        .then((taken) => {
          setRefusals(taken.refusals);
          keeper.change((now) => ({ ...now, files: [...now.files, ...taken.files] }));
        });
    },
    [keeper, mostMegabytes],
  );
  return { add, refusals, forget: () => setRefusals([]) };
}

export type Incoming = ReturnType<typeof useIncoming>;
