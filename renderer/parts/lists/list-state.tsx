import type { List, Listed } from '../../api/lists/list.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { WAITS } from '../../ui/focus/places.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './list-state.module.css';

/** In place of rows while the first page is on its way, or when it did not come. */
export function ListOpening({ error, retry }: { error: unknown; retry: () => void }) {
  if (error)
    return (
      <EmptyState
        icon="alert"
        title={t.ui.listBroke}
        action={<Button onPress={retry}>{t.ui.tryAgain}</Button>}
      >
        {sentenceOf(error)}
      </EmptyState>
    );
  return (
    <p className={styles['busy']} role="status" {...WAITS}>
      {t.ui.loading}
    </p>
  );
}

/** Below the rows, when a later page did not come, or what was read again. */
export function ListProblem({ list }: { list: Pick<List<Listed>, 'error' | 'retry' | 'isOpening'> }) {
  if (!list.error || list.isOpening) return null;
  return (
    <div className={styles['problem']}>
      <Notice
        tone="warn"
        isLive
        title={t.ui.pageBroke}
        action={<Button onPress={list.retry}>{t.ui.tryAgain}</Button>}
      >
        {sentenceOf(list.error)}
      </Notice>
    </div>
  );
}
