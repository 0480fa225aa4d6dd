import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { SecretField } from '../../ui/field.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import styles from './setting-control.module.css';
import type { SettingControlProps } from './setting-props.ts';

/** A secret is never shown: it is set or not, and can be replaced or taken away. */
export function SecretControl(props: SettingControlProps) {
  const { setting, drafts, label = setting.label, help, isLabelHidden, isDisabled } = props;
  const typed = drafts.typed(setting);
  const isReplacing = setting.is_set && drafts.isBegun(setting);
  const keep = () => drafts.drop(setting);
  const words = t.settings.secret;
  if (typed === null)
    return <Kept {...props} word={words.removed} icon="close" actions={[{ label: words.keep, run: keep }]} />;
  if (setting.is_set && !isReplacing) {
    const actions = [
      { label: words.replace, run: () => drafts.type(setting, '') },
      { label: words.remove, run: () => drafts.type(setting, null) },
    ];
    return <Kept {...props} word={words.set} icon="lock" actions={actions} />;
  }
  return (
    <div>
      <SecretField
        label={label}
        isLabelHidden={isLabelHidden === true}
        help={help}
        isMono
        autoFocus={isReplacing && typed === ''}
        autoComplete="off"
        isDisabled={isDisabled === true}
        value={String(typed)}
        onChange={(text) => drafts.type(setting, text)}
        error={drafts.problem(setting)}
      />
      {setting.is_set && (
        <Button variant="link" onPress={keep}>
          {words.keep}
        </Button>
      )}
    </div>
  );
}

interface KeptProps extends SettingControlProps {
  readonly word: string;
  readonly icon: IconName;
  readonly actions: readonly { readonly label: string; readonly run: () => void }[];
}

/** Shows the state of a stored secret in place of its field. */
function Kept({ setting, label = setting.label, help, isLabelHidden, isDisabled, ...rest }: KeptProps) {
  return (
    <div className={styles['locked']} role="group" aria-label={label}>
      {!isLabelHidden && <span className={styles['label']}>{label}</span>}
      <div className={styles['secret']}>
        <span className={styles['word']}>
          <StateWord tone="plain" icon={rest.icon} size="body">
            {rest.word}
          </StateWord>
        </span>
        {rest.actions.map((action) => (
          <Button
            key={action.label}
            variant="plain"
            isDisabled={isDisabled === true}
            aria-label={t.settings.secret.actionOf(action.label, label)}
            onPress={action.run}
          >
            {action.label}
          </Button>
        ))}
      </div>
      {help && <span className={styles['help']}>{help}</span>}
    </div>
  );
}
