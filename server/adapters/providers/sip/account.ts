import { z } from 'zod';
import { lineAccountId, WRITTEN_TRUNK } from '../../../../shared/line-account.ts';
import type { ValuesOf } from '../../../platform/setting-kinds.ts';
import type { sipSettings } from './settings.ts';

/** Line settings that a fax captures: how to reach the engine and how to place calls over the trunk. */
export const sipAccount = z
  .object({
    backend: z.literal('sip'),
    accountId: z.string(),
    engine: z
      .object({ host: z.string(), port: z.number(), user: z.string(), password: z.string() })
      .readonly(),
    /** The data folder as the engine sees it; null: the same path. */
    engineFolder: z.string().nullable(),
    /** Name of the trunk in Asterisk. */
    trunk: z.string().default(WRITTEN_TRUNK),
    dialFormat: z.enum(['plus_e164', 'e164', 'nanp_10', 'nanp_11']),
    dialPrefix: z.string(),
    t38: z.boolean(),
    ecm: z.boolean(),
    mostRate: z.number(),
    /** Null: the own number. */
    stationId: z.string().nullable(),
    /** Calls at once. */
    lines: z.number(),
  })
  .readonly();

export type SipAccount = z.infer<typeof sipAccount>;

/** The account that the settings name, or the sentence that says what is missing. */
export function sipAccountOf(values: ValuesOf<typeof sipSettings>): SipAccount | string {
  const { TELEPHONY_PASSWORD: password, TRUNK_HOST: host, TRUNK_USER: user } = values;
  if (!password) return 'The phone line is not set up yet: set the password of the telephone engine first.';
  if (!host) return 'The phone line is not set up yet: set the host of the trunk first.';
  const byAddress = values.TRUNK_AUTHENTICATION === 'address';
  if (!byAddress && (!user || !values.TRUNK_PASSWORD))
    return 'The phone line is not set up yet: set user and password of the trunk first.';
  return {
    backend: 'sip',
    accountId: lineAccountId({ byAddress, user, host }),
    engine: {
      host: values.TELEPHONY_HOST,
      port: values.TELEPHONY_PORT,
      user: values.TELEPHONY_USER,
      password,
    },
    engineFolder: values.TELEPHONY_ENGINE_FOLDER,
    trunk: values.TRUNK_NAME,
    dialFormat: values.TRUNK_DIAL_FORMAT,
    dialPrefix: values.TRUNK_DIAL_PREFIX ?? '',
    t38: values.TRUNK_T38,
    ecm: values.TRUNK_ECM,
    mostRate: Number(values.TRUNK_MOST_RATE),
    stationId: values.TRUNK_STATION_ID,
    lines: values.TRUNK_LINES,
  };
}

/**
 * Returns the key by which the lines of a trunk are counted: two trunks in Asterisk may have the same user, and each
 * has lines of its own.
 */
export function trunkLines({ accountId, trunk }: SipAccount): string {
  return trunk === WRITTEN_TRUNK ? accountId : `${accountId} by ${trunk}`;
}

/** The number as the carrier wants it dialed. `to` is E.164 with its plus. */
export function dialedNumber(
  { dialFormat, dialPrefix }: Pick<SipAccount, 'dialFormat' | 'dialPrefix'>,
  to: string,
): string {
  return `${dialPrefix}${formatDialed(dialFormat, to)}`;
}

function formatDialed(format: SipAccount['dialFormat'], to: string): string {
  const digits = to.replace(/\D/gu, '');
  if (format === 'plus_e164') return `+${digits}`;
  if (format === 'e164') return digits;
  const isNorthAmerican = /^1\d{10}$/u.test(digits);
  if (!isNorthAmerican) return `011${digits}`;
  return format === 'nanp_10' ? digits.slice(1) : digits;
}

/**
 * Returns the reason why a route cannot use this trunk beside that of the settings, over which its calls would go; null
 * when it can.
 */
export function coexistenceProblem(own: SipAccount, shared: SipAccount | string): string | null {
  if (typeof shared === 'string') return null;
  const isOtherEngine = own.engine.host !== shared.engine.host || own.engine.port !== shared.engine.port;
  return isOtherEngine || own.trunk !== shared.trunk
    ? null
    : 'A separate trunk needs its name in Asterisk (TRUNK_NAME): set the trunk up there first.';
}
