import { isRefused, isStatus, sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './details.module.css';

/** Texts for an entry that is gone. */
interface GoneWords {
  readonly gone: string;
  readonly goneSentence: string;
  readonly back: string;
}

/** Beside a list, instead of the details: that they are loading, are gone, or could not be loaded. */
export function NoDetails(props: {
  readonly error: unknown;
  /** The details were here before, and this person may not see them any more. */
  readonly wasHere?: boolean;
  readonly words: GoneWords;
  readonly retry: () => void;
  readonly onClose: () => void;
}) {
  const { error, wasHere = false, words, retry, onClose } = props;
  if (!error) return <p className={styles['busy']}>{t.ui.loading}</p>;
  if (isStatus(error, 404) || (wasHere && isStatus(error, 403)))
    return (
      <EmptyState icon="search" title={words.gone} action={<Button onPress={onClose}>{words.back}</Button>}>
        {isRefused(error, 'fax_archived') ? error.detail : words.goneSentence}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="alert"
      title={sentenceOf(error)}
      action={<Button onPress={retry}>{t.ui.tryAgain}</Button>}
    />
  );
}
