import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { IconName } from '../../../ui/icon.tsx';

/** In place of rows: nothing is there yet, or nothing that matches the filters, with the way back to everything. */
export function NothingListed(props: {
  icon: IconName;
  words: {
    readonly empty: string;
    readonly emptySentence?: string;
    readonly noneFits: string;
    readonly noneFitsSentence: string;
    readonly all: string;
  };
  filtering: { readonly isFiltered: boolean; readonly clear: () => void };
}) {
  const { icon, words, filtering } = props;
  if (!filtering.isFiltered)
    return (
      <EmptyState icon={icon} title={words.empty}>
        {words.emptySentence}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="search"
      title={words.noneFits}
      action={<Button onPress={filtering.clear}>{words.all}</Button>}
    >
      {words.noneFitsSentence}
    </EmptyState>
  );
}
