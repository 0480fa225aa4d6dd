import type { SettingDefinition } from '../../platform/setting-kinds.ts';
import { accessSettings } from './definitions/access.ts';
import { auditSettings } from './definitions/audit.ts';
import { backupSettings } from './definitions/backups.ts';
import { cloudoneSettings } from './definitions/cloudone.ts';
import { cloudtwoSettings } from './definitions/cloudtwo.ts';
import { httpsSettings } from './definitions/https.ts';
import { limitSettings } from './definitions/limits.ts';
import { receivingSettings } from './definitions/receiving.ts';
import { sendingSettings } from './definitions/sending.ts';

/** Every setting, in the order of the settings screen. */
export const DEFINITIONS = {
  ...sendingSettings,
  ...receivingSettings,
  ...cloudoneSettings,
  ...cloudtwoSettings,
  ...accessSettings,
  ...httpsSettings,
  ...limitSettings,
  ...backupSettings,
  ...auditSettings,
} as const;

export type SettingName = keyof typeof DEFINITIONS;
export type SettingValue<N extends SettingName> =
  (typeof DEFINITIONS)[N] extends SettingDefinition<infer T> ? T : never;
/** A value for every setting. */
export type SettingValues = { readonly [N in SettingName]: SettingValue<N> };
/** Any value a setting can have. */
export type AnyValue = string | number | boolean | readonly string[] | null;

export const SETTING_NAMES = Object.keys(DEFINITIONS) as SettingName[];

/** The definition without the type of its value, for code that treats all settings alike. */
export function definitionOf(name: SettingName): SettingDefinition<AnyValue> {
  return DEFINITIONS[name];
}

export function isSettingName(text: string): text is SettingName {
  return Object.hasOwn(DEFINITIONS, text);
}

const OLDER_NAMES = new Map(
  SETTING_NAMES.flatMap((name) => {
    const { alias } = definitionOf(name);
    return [name.toLowerCase(), ...(alias ? [alias] : [])].map((older) => [older, name] as const);
  }),
);

/** The setting that a flat lower-case name of earlier releases means, or null. */
export function settingOfOlderName(text: string): SettingName | null {
  return OLDER_NAMES.get(text) ?? null;
}

export function defaultValues(): SettingValues {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, definitionOf(name).default])) as SettingValues;
}

export function sameValue(a: AnyValue, b: AnyValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
