import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { StateWord } from '../../../ui/state-word.tsx';

/** Shows enabled or disabled as an icon and a word. */
export function OnOff({ isOn }: { isOn: boolean }) {
  return (
    <StateWord tone={isOn ? 'ok' : 'plain'} icon={isOn ? 'ok' : 'lock'} size="body">
      {isOn ? t.access.rows.enabled : t.access.rows.disabled}
    </StateWord>
  );
}

/** Button that enables at once, or calls `onAsk` for the question before disabling. */
export function OnOffButton(props: {
  isOn: boolean;
  isPending: boolean;
  onAsk: () => void;
  onEnable: () => void;
}) {
  return props.isOn ? (
    <Button onPress={props.onAsk}>{t.access.rows.disable}</Button>
  ) : (
    <Button isPending={props.isPending} onPress={props.onEnable}>
      {t.access.rows.enable}
    </Button>
  );
}
