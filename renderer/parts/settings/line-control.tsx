import { t } from '../../texts/administration.ts';
import { TextField } from '../../ui/field.tsx';
import styles from './setting-control.module.css';
import type { SettingControlProps } from './setting-props.ts';
import { unitWords } from './setting-words.ts';

const PLAIN = /^\d+$/u;

/** One line of text, or a number with its unit. */
export function LineControl(props: SettingControlProps) {
  const { setting, drafts, label, help, describedBy, isLabelHidden, isDisabled } = props;
  const isNumber = setting.type === 'number';
  const text = String(drafts.typed(setting) ?? '');
  // Where a person typed a unit, no second one is shown.
  const unit = isNumber && PLAIN.test(text) ? unitWords(setting.name, Number(text)) : '';
  return (
    <TextField
      label={label ?? setting.label}
      isLabelHidden={isLabelHidden === true}
      help={help}
      isDisabled={isDisabled === true}
      {...(describedBy ? { 'aria-describedby': describedBy } : {})}
      value={text}
      {...(unit === '' ? {} : { after: <Unit>{unit}</Unit> })}
      onChange={(typed) => drafts.type(setting, typed)}
      error={drafts.problem(setting)}
      autoComplete="off"
      spellCheck="false"
      inputMode={isNumber ? 'decimal' : setting.format === 'phone_number' ? 'tel' : 'text'}
      placeholder={setting.value === null ? t.settings.notSet : undefined}
    />
  );
}

/** The help of the setting names the unit as well, so a screen reader does not read it twice. */
const Unit = ({ children }: { children: string }) => (
  <span className={styles['unit']} aria-hidden="true">
    {children}
  </span>
);
