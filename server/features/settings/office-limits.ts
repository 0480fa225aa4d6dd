import type { AnyValue } from '../../platform/setting-kinds.ts';
import type { SettingValues } from './definitions.ts';

/** Values that the office leaves of a setting. The last one takes the place of every other. */
type Allowed = Readonly<Record<string, readonly AnyValue[]>>;

const PRINTER: Allowed = { PRINT_TO_FAX: ['off', 'this_computer'] };
const WITHOUT_NETWORK: Allowed = { ...PRINTER, HTTPS_ENABLED: [false] };
/** The windows of the accounts reach the gateway over HTTPS. */
const THIS_COMPUTER_ONLY: Allowed = { ...PRINTER, HTTPS_HOST: ['127.0.0.1'], HTTPS_ANNOUNCED: [false] };

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

interface Limited {
  readonly isNetworkOff?: boolean;
  /** True where HTTPS stays on for this computer. */
  readonly hasLocalHttps?: boolean;
}

/** Returns the limits of a gateway that must not open itself to other computers, or no limits. */
export function officeLimits({ isNetworkOff = false, hasLocalHttps = false }: Limited): OfficeLimits {
  const closed = hasLocalHttps ? THIS_COMPUTER_ONLY : WITHOUT_NETWORK;
  const allowed: Allowed = isNetworkOff ? closed : {};
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
