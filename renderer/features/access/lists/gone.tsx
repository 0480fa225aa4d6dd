import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Pane } from '../../../ui/pane.tsx';

/** In place of details of what is not in the list any more. */
export function Gone({ label, onClose }: { label: string; onClose: () => void }) {
  const words = t.access.rows;
  return (
    <Pane as="aside" label={label}>
      <EmptyState icon="search" title={words.gone} action={<Button onPress={onClose}>{words.back}</Button>}>
        {words.goneSentence}
      </EmptyState>
    </Pane>
  );
}
