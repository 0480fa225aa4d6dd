import type { Setting } from '../../api/settings.ts';
import { t } from '../../texts/administration.ts';
import { Choice, type Option } from '../../ui/choice.tsx';
import { countryName } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { usePhoneReader } from '../../ui/phone-reader.ts';
import { Switch } from '../../ui/switch.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { LineControl } from './line-control.tsx';
import { PathControl } from './path-control.tsx';
import { SecretControl } from './secret-control.tsx';
import styles from './setting-control.module.css';
import { typedOf } from './setting-draft.ts';
import type { SettingControlProps } from './setting-props.ts';
import { choiceWords, lockedBy, shownValue } from './setting-words.ts';

/** The field of one setting, made from its definition. */
export function SettingControl(props: SettingControlProps) {
  const { setting } = props;
  if (lockedBy(setting) !== null) return <LockedValue {...props} />;
  if (setting.type === 'boolean') return <BooleanControl {...props} />;
  if (setting.type === 'choice')
    return <ChoiceControl {...props} options={props.options ?? choicesOf(setting)} />;
  if (setting.type === 'secret') return <SecretControl {...props} />;
  if (setting.type === 'list') return <ListControl {...props} />;
  if (setting.format === 'file' || setting.format === 'folder') return <PathControl {...props} />;
  if (setting.format === 'country') return <CountryControl {...props} />;
  if (setting.format === 'time_zone') return <ChoiceControl {...props} options={timeZones(setting)} />;
  return props.options ? <ChoiceControl {...props} options={props.options} /> : <LineControl {...props} />;
}

/** The environment or the office decides at every start, so there is nothing to type. */
function LockedValue({ setting, label, isLabelHidden }: SettingControlProps) {
  const name = label ?? setting.label;
  return (
    <div className={styles['locked']} role="group" aria-label={name}>
      {!isLabelHidden && <span className={styles['label']}>{name}</span>}
      <span className={styles['value']}>
        <Icon name="lock" size={16} />
        <span className={styles['cut']} title={shownValue(setting)}>
          {shownValue(setting)}
        </span>
      </span>
      {!isLabelHidden && <span className={styles['help']}>{lockedBy(setting)}</span>}
    </div>
  );
}

function BooleanControl({ setting, drafts, label, describedBy, isDisabled }: SettingControlProps) {
  const isOn = drafts.typed(setting) === true;
  return (
    <Switch
      isSelected={isOn}
      onChange={(next) => drafts.type(setting, next)}
      isDisabled={isDisabled === true}
      aria-label={label ?? setting.label}
      {...(describedBy ? { 'aria-describedby': describedBy } : {})}
    >
      <span aria-hidden="true">{isOn ? t.settings.on : t.settings.off}</span>
    </Switch>
  );
}

/** Rows of a list that show at once: room for the next entry, without scrolling for a list of usual length. */
const LIST_ROWS = { min: 3, max: 10 } as const;

function ListControl({ setting, drafts, label, isLabelHidden, isDisabled }: SettingControlProps) {
  const typed = String(drafts.typed(setting) ?? '');
  const rows = Math.min(LIST_ROWS.max, Math.max(LIST_ROWS.min, typed.split('\n').length + 1));
  return (
    <TextArea
      label={label ?? setting.label}
      isLabelHidden={isLabelHidden === true}
      help={t.settings.oneEach}
      isDisabled={isDisabled === true}
      value={typed}
      rows={rows}
      onChange={(text) => drafts.type(setting, text)}
      error={drafts.problem(setting)}
      placeholder={t.settings.none}
    />
  );
}

function ChoiceControl(props: SettingControlProps & { options: readonly Option<string>[] }) {
  const { setting, drafts, label, isLabelHidden, isDisabled, options } = props;
  return (
    <Choice
      label={label ?? setting.label}
      isLabelHidden={isLabelHidden === true}
      isDisabled={isDisabled === true}
      options={options}
      value={String(drafts.typed(setting) ?? '')}
      onChange={(value) => drafts.type(setting, value)}
    />
  );
}

/** The country names of this computer's language. */
function CountryControl(props: SettingControlProps) {
  const saved = String(typedOf(props.setting) ?? '');
  const codes = usePhoneReader()?.COUNTRIES ?? [saved];
  const options = codes
    .map((id) => ({ id, label: countryName(id) }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  return <ChoiceControl {...props} options={options} />;
}

function choicesOf(setting: Setting): Option<string>[] {
  const choices = (setting.choices ?? []).map((id) => ({ id, label: choiceWords(setting.name, id) }));
  return setting.value === null ? [{ id: '', label: t.settings.noChoice }, ...choices] : choices;
}

function timeZones(setting: Setting): Option<string>[] {
  const saved = typeof setting.value === 'string' ? [setting.value] : [];
  const names = new Set([...saved, ...Intl.supportedValuesOf('timeZone'), 'UTC']);
  const zones = [...names].toSorted().map((id) => ({ id, label: id.replaceAll('_', ' ') }));
  return [{ id: '', label: t.settings.ownTimeZone }, ...zones];
}
