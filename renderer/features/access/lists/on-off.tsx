import { t } from '../../../texts/access.ts';
import { StateWord } from '../../../ui/state-word.tsx';

/** Whether something is enabled, as a sign and a word. */
export function OnOff({ isOn }: { isOn: boolean }) {
  return (
    <StateWord tone={isOn ? 'ok' : 'plain'} icon={isOn ? 'ok' : 'lock'} size="body">
      {isOn ? t.access.rows.enabled : t.access.rows.disabled}
    </StateWord>
  );
}
