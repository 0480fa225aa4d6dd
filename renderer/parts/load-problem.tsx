import { sentenceOf } from '../api/sentence.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** Part of a query that is needed to show its failure. */
export interface Loaded {
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/** In the place of something that could not be loaded: why, and *Try again*. Nothing while all is well. */
export function LoadProblem({ of, title }: { of: Loaded; title?: string }) {
  if (of.error === null) return null;
  return (
    <Notice
      tone="warn"
      isLive
      {...(title !== undefined && { title })}
      action={
        <Button isPending={of.isFetching} onPress={() => void of.refetch()}>
          {t.ui.tryAgain}
        </Button>
      }
    >
      {sentenceOf(of.error)}
    </Notice>
  );
}
