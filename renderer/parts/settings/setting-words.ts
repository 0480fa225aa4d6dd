import type { Setting, SettingValue } from '../../api/settings.ts';
import { t } from '../../texts/administration.ts';
import { countryName, formatCount, formatHour } from '../../ui/format.ts';
import { unitOf } from './typed-number.ts';

type NamedSetting = Pick<Setting, 'name'> & Partial<Pick<Setting, 'type' | 'format'>>;

/** Returns a value of the setting in the words of its control. */
export function valueWords({ name, type, format }: NamedSetting, value: SettingValue): string {
  if (value === null || value === '') return t.settings.notSet;
  if (typeof value === 'boolean') return value ? t.settings.on : t.settings.off;
  // A port is called by its digits.
  if (typeof value === 'number')
    return name.endsWith('_PORT')
      ? String(value)
      : [formatCount(value), unitWords(name, value)].join(' ').trim();
  if (Array.isArray(value)) return value.length === 0 ? t.settings.none : value.join(', ');
  if (type === 'choice') return choiceWords(name, value);
  return format === 'country' ? countryName(value) : value;
}

/** Returns the unit of a setting's number in words; empty for a plain number. */
export function unitWords(name: string, value: number): string {
  const unit = unitOf(name);
  return unit === null ? '' : t.settings.units[unit](value === 1);
}

const FULL_HOUR = /^(\d\d):00$/u;

/** Returns a choice in words: `This computer` for `this_computer`, and hours as people write them. */
export function choiceWords(name: string, choice: string): string {
  const hour = FULL_HOUR.exec(choice)?.[1];
  if (hour !== undefined) return formatHour(Number(hour));
  const words = choice.replaceAll('_', ' ');
  return (
    t.settings.line.choices[name]?.[choice] ??
    t.settings.choices[choice] ??
    `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  );
}

/** The saved value of a setting; of a secret only whether it is set. */
export function shownValue(setting: Setting): string {
  if (setting.type !== 'secret') return valueWords(setting, setting.value);
  return setting.is_set ? t.settings.secret.set : t.settings.notSet;
}

/** Returns a sentence on why the setting cannot be changed here; null when it can. */
export function lockedBy({ source }: Setting): string | null {
  if (source === 'office') return t.settings.office;
  return source === 'environment' ? t.settings.environment : null;
}

/** Returns a sentence on why a connection cannot be checked with the typed values; null when it can. */
export function checkObstacle(isReadOnly: boolean, wrong: Pick<Setting, 'label'> | undefined): string | null {
  if (isReadOnly) return t.settings.readOnly;
  return wrong === undefined ? null : t.settings.correctFirst(wrong.label);
}
