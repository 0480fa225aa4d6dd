import { t } from '../../../texts/index.ts';
import { StateWord } from '../../../ui/state-word.tsx';
import type { SaveState } from './draft-store.ts';

/** Shows whether the draft would survive a reload. */
export function DraftMark({ saveState }: { saveState: SaveState }) {
  switch (saveState) {
    case 'nothing':
      return null;
    case 'saving':
      return (
        <StateWord tone="plain" icon="pending">
          {t.send.draft.saving}
        </StateWord>
      );
    case 'saved':
      return (
        <StateWord tone="plain" icon="check">
          {t.send.draft.saved}
        </StateWord>
      );
    case 'failed':
      return (
        <span title={t.send.draft.failedSentence} role="status">
          <StateWord tone="warn" icon="warn">
            {t.send.draft.failed}
          </StateWord>
          <span className="visually-hidden">{t.send.draft.failedSentence}</span>
        </span>
      );
  }
}
