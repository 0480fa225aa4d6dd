import { useCallback, useState } from 'react';
import { type DraftFile } from '../../../parts/draft-files.ts';
import { withFiles } from '../draft/draft.ts';
import type { DraftStore } from '../draft/draft-store.ts';
import { takeFiles } from './incoming-files.ts';

const NOTHING = { refusals: [] as readonly string[], twice: [] as readonly DraftFile[] };

/** Files on their way into the draft, those that were turned away, and those that are there already. */
export function useIncoming(drafts: DraftStore, maxMegabytes: number) {
  const [left, setLeft] = useState(NOTHING);
  const append = useCallback(
    (files: readonly DraftFile[]) => {
      if (files.length > 0) drafts.change((now) => withFiles(now, [...now.files, ...files]));
    },
    [drafts],
  );
  const add = useCallback(
    (offered: readonly File[]) => {
      void drafts.loaded
        .then(() => takeFiles(offered, drafts.get().draft.files, maxMegabytes))
        .then(({ files, ...others }) => {
          setLeft(others);
          append(files);
        });
    },
    [drafts, append, maxMegabytes],
  );
  return {
    add,
    refusals: left.refusals,
    twice: left.twice,
    addAgain() {
      append(left.twice);
      setLeft({ ...left, twice: [] });
    },
    leaveOut: () => setLeft({ ...left, twice: [] }),
    forget: () => setLeft(NOTHING),
  };
}

export type Incoming = ReturnType<typeof useIncoming>;
