import type { AnyValue } from '../../platform/setting-kinds.ts';
import type { SettingValues } from './definitions.ts';

/** Values that the office leaves of a setting. The last one takes the place of every other. */
type Allowed = Readonly<Record<string, readonly AnyValue[]>>;

const WITHOUT_NETWORK: Allowed = { HTTPS_ENABLED: [false], PRINT_TO_FAX: ['off', 'this_computer'] };

/** Decisions of the office for the settings of a gateway; stored values stay for the day when it decides otherwise. */
export interface OfficeLimits {
  /** True when a person can choose nothing. */
  isDecided(name: string): boolean;
  allows(name: string, value: AnyValue): boolean;
  /** Replaces values that are not allowed. */
  limit(values: SettingValues): SettingValues;
  /** Returns a sentence for people about a setting that is limited in part; null for every other one. */
  noteOf(name: string): string | null;
}

/** Returns the limits of a gateway that must not open itself to other computers, or no limits. */
export function officeLimits(isNetworkOff: boolean): OfficeLimits {
  const allowed: Allowed = isNetworkOff ? WITHOUT_NETWORK : {};
  const allows = (name: string, value: AnyValue) => allowed[name]?.includes(value) ?? true;
  const isDecided = (name: string) => allowed[name]?.length === 1;
  return {
    isDecided,
    allows,
    limit(values) {
      const present: Readonly<Record<string, AnyValue>> = values;
      const replaced = Object.entries(allowed)
        .filter(([name]) => !allows(name, present[name] ?? null))
        .map(([name, left]) => [name, left.at(-1)]);
      return { ...values, ...Object.fromEntries(replaced) };
    },
    noteOf: (name) => (allowed[name] === undefined || isDecided(name) ? null : NOTE),
  };
}

const NOTE = 'Your office has decided that other computers cannot print to it.';
