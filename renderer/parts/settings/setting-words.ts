import type { Setting, SettingValue } from '../../api/settings.ts';
import { t } from '../../texts/administration.ts';
import { formatCount } from '../../ui/format.ts';

/** A value of the setting of this name as a person reads it. */
export function valueWords(name: string, value: SettingValue): string {
  if (value === null || value === '') return t.settings.notSet;
  if (typeof value === 'boolean') return value ? t.settings.on : t.settings.off;
  // A port is called by its digits.
  if (typeof value === 'number') return name.endsWith('_PORT') ? String(value) : formatCount(value);
  if (Array.isArray(value)) return value.length === 0 ? t.settings.none : value.join(', ');
  return value;
}

/** The saved value of a setting; of a secret only whether it is set. */
export function shownValue(setting: Setting): string {
  if (setting.type !== 'secret') return valueWords(setting.name, setting.value);
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
