import { useActions } from '../../../ui/actions.tsx';
import { Button } from '../../../ui/button.tsx';

const KEY = 'shift+n';

/** The primary button of a part, which its shortcut presses too. */
export function NewButton({ part, label, onPress }: { part: string; label: string; onPress: () => void }) {
  useActions(part, [{ id: 'new', label, icon: 'plus', keys: KEY, run: onPress }]);
  return (
    <Button variant="primary" icon="plus" keys={KEY} onPress={onPress}>
      {label}
    </Button>
  );
}
