import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Pane } from '../../../ui/pane.tsx';

/** Shown in place of the details of an entry that is no longer in its list. */
export function MissingEntry({ label, onClose }: { label: string; onClose: () => void }) {
  const words = t.access.rows;
  return (
    <Pane as="aside" label={label}>
      <EmptyState icon="search" title={words.gone} action={<Button onPress={onClose}>{words.back}</Button>}>
        {words.goneSentence}
      </EmptyState>
    </Pane>
  );
}
