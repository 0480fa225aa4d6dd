import { DeliveryRoute as Shape } from '../../../../shared/api/routing-routes.ts';
import { LINE_BACKEND } from '../../../../shared/backends.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { DeliveryRoute } from '../../../api/delivery-routes.ts';
import type { Provider, SettingValue } from '../../../api/settings.ts';
import { t } from '../../../texts/delivery-routes.ts';
import { formatCount } from '../../../ui/format.ts';

const { rules } = t.deliveryRoutes;

/**
 * Account that a route uses: that of the settings, a new one of its own, or `kept`, its stored one, which is never
 * shown.
 */
type AccountChoice = 'settings' | 'kept' | 'own';

/** Input of a route. */
export interface TypedRoute {
  readonly name: string;
  readonly backend: string;
  readonly account: AccountChoice;
  /** Of an account of its own, by the name of the setting; what is empty is as usual. */
  readonly values: Readonly<Record<string, string>>;
  /** Separated by spaces. */
  readonly prefixes: string;
  readonly priority: string;
  readonly lines: string;
  readonly ownNumber: string;
  readonly headerName: string;
  readonly isNextAllowed: boolean;
  readonly isOn: boolean;
}

type FieldName = keyof TypedRoute;
/** A sentence for each field that is wrong. */
type FieldProblems = { readonly [Name in FieldName]?: string };

/** The fields of a route that is there, or of a new one by this provider. */
export function formValuesOf(route: DeliveryRoute | undefined, backend: string): TypedRoute {
  return {
    name: route?.name ?? '',
    backend: route?.backend ?? backend,
    account: route?.has_account ? 'kept' : 'settings',
    values: {},
    prefixes: route?.prefixes.join(' ') ?? '',
    priority: String(route?.priority ?? LIMITS.deliveryRoute.priority.usual),
    lines: String(route?.lines ?? ''),
    ownNumber: route?.own_number ?? '',
    headerName: route?.header_name ?? '',
    isNextAllowed: route?.next_allowed ?? true,
    isOn: route?.enabled ?? true,
  };
}

/** Fields of an additional trunk; all others are taken from the trunk in the settings. */
const TRUNK_SETTINGS = new Set([
  'TRUNK_NAME',
  'TRUNK_LINES',
  'TRUNK_DIAL_FORMAT',
  'TRUNK_DIAL_PREFIX',
  'TRUNK_T38',
  'TRUNK_ECM',
  'TRUNK_MOST_RATE',
  'TRUNK_STATION_ID',
]);

/** Returns the settings to enter for an account of a route's own. */
export const accountSettings = ({ backend, settings }: Provider) =>
  backend === LINE_BACKEND ? settings.filter(({ name }) => TRUNK_SETTINGS.has(name)) : settings;

/** Returns the accounts a route can use. */
export function accountChoices(typed: TypedRoute, route: DeliveryRoute | undefined): AccountChoice[] {
  const isStored = route?.has_account === true && route.backend === typed.backend;
  return ['settings', ...(isStored ? (['kept'] as const) : []), 'own'];
}

const parsePrefixes = (text: string): string[] => text.split(/[\s,;]+/u).filter(Boolean);

/** As the gateway takes it. */
export function bodyOf(typed: TypedRoute, provider: Provider | undefined) {
  const account = accountOf(typed, provider);
  return {
    name: typed.name.trim(),
    backend: typed.backend,
    prefixes: parsePrefixes(typed.prefixes),
    priority: Number(typed.priority.trim() || Number.NaN),
    lines: typed.lines.trim() === '' ? null : Number(typed.lines),
    own_number: typed.ownNumber.trim() || null,
    header_name: typed.headerName.trim() || null,
    next_allowed: typed.isNextAllowed,
    enabled: typed.isOn,
    ...(account === undefined ? {} : { account }),
  };
}

/** Undefined keeps what is stored. */
function accountOf({ account, values }: TypedRoute, provider: Provider | undefined) {
  if (account === 'kept') return undefined;
  if (account === 'settings' || !provider) return null;
  const given = provider.settings.flatMap(({ name, type }): [string, Exclude<SettingValue, unknown[]>][] => {
    const text = values[name]?.trim() ?? '';
    if (text === '') return [];
    if (type === 'boolean') return [[name, text === 'true']];
    return [[name, type === 'number' ? Number(text) : text]];
  });
  return Object.fromEntries(given) as Record<string, string | number | boolean>;
}

/** Validates the input by itself; `isNumber` returns true for a complete phone number. */
export function problemsOf(typed: TypedRoute, isNumber: (text: string) => boolean): FieldProblems {
  const body = bodyOf(typed, undefined);
  const { shape } = Shape;
  const wrongPrefix = body.prefixes.find((prefix) => !/^\+\d{1,15}$/u.test(prefix));
  const { priority, lines } = LIMITS.deliveryRoute;
  const range = ({ least, most }: { least: number; most: number }) =>
    rules.number(formatCount(least), formatCount(most));
  const problems: { [Name in FieldName]?: string | false } = {
    name: body.name === '' && rules.missing,
    prefixes: wrongPrefix !== undefined && rules.prefix(wrongPrefix),
    priority: !shape.priority.safeParse(body.priority).success && range(priority),
    lines: !shape.lines.safeParse(body.lines).success && range(lines),
    ownNumber: body.own_number !== null && !isNumber(body.own_number) && rules.ownNumber,
    headerName: !shape.header_name.safeParse(body.header_name).success && rules.invisible,
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem));
}
