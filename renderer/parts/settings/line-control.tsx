import { t } from '../../texts/administration.ts';
import { TextField } from '../../ui/field.tsx';
import type { SettingControlProps } from './setting-props.ts';

/** One line of text or a number. */
export function LineControl(props: SettingControlProps) {
  const { setting, drafts, label, help, describedBy, isLabelHidden, isDisabled } = props;
  const isNumber = setting.type === 'number';
  return (
    <TextField
      label={label ?? setting.label}
      isLabelHidden={isLabelHidden === true}
      help={help}
      isDisabled={isDisabled === true}
      {...(describedBy ? { 'aria-describedby': describedBy } : {})}
      value={String(drafts.typed(setting) ?? '')}
      onChange={(text) => drafts.type(setting, text)}
      error={drafts.problem(setting)}
      autoComplete="off"
      spellCheck="false"
      inputMode={isNumber ? 'decimal' : setting.format === 'phone_number' ? 'tel' : 'text'}
      placeholder={setting.value === null ? t.settings.notSet : undefined}
    />
  );
}
