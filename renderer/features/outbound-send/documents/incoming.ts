import { useCallback, useState } from 'react';
import type { DraftStore } from '../draft/draft-store.ts';
import { takeFiles } from './incoming-files.ts';

/** Files on their way into the draft, and those that were turned away. */
export function useIncoming(drafts: DraftStore, mostMegabytes: number) {
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const add = useCallback(
    (offered: readonly File[]) => {
      void drafts.loaded
        .then(() => takeFiles(offered, drafts.get().draft.files, mostMegabytes))
        .then((taken) => {
          setRefusals(taken.refusals);
          drafts.change((now) => ({ ...now, files: [...now.files, ...taken.files] }));
        });
    },
    [drafts, mostMegabytes],
  );
  return { add, refusals, forget: () => setRefusals([]) };
}

export type Incoming = ReturnType<typeof useIncoming>;
