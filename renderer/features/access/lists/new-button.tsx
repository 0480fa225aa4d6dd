import { useActions } from '../../../ui/actions.tsx';
import { Button } from '../../../ui/button.tsx';
import type { IconName } from '../../../ui/icon.tsx';

const KEY = 'shift+n';

/** The primary button of a part, which its shortcut presses too. */
export function NewButton(props: {
  /** Under which the key is listed. */
  part: string;
  label: string;
  icon?: IconName;
  /** False until the list is here, where what is new names the version of what was read. */
  isReady?: boolean;
  onPress: () => void;
}) {
  const { part, label, icon = 'plus', isReady = true, onPress } = props;
  useActions(part, [{ id: 'new', label, icon, keys: KEY, isDisabled: !isReady, run: onPress }]);
  return (
    <Button variant="primary" icon={icon} keys={KEY} isDisabled={!isReady} onPress={onPress}>
      {label}
    </Button>
  );
}
