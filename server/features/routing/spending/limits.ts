import { dateFormat } from '../../../../shared/date-format.ts';
import { formatMoney, millionthsOf, moneyOf } from '../../../../shared/money.ts';
import type { ReadDb } from '../../../db/database.ts';
import { findOwnLimit, type OwnLimitRow } from '../store/limit-store.ts';
import { INSTALLATION_TOTAL, type TotalRow } from '../store/total-store.ts';

/** The limits of the settings, as values in force now; decimal texts. */
export interface SpendingSettings {
  /** Currency of the amounts; null while no limit is in force. */
  currency(): string | null;
  perDay(): string | null;
  perMonth(): string | null;
  /** Limit of each person and integration without one of their own. */
  personPerDay(): string | null;
  personPerMonth(): string | null;
}

export type Period = 'day' | 'month';

/** Maximum amount in a period, in millionths. */
export interface Limit {
  readonly amount: bigint;
  readonly currency: string;
}

/** Limits of a principal or of the installation; null for none. */
export type Limits = Readonly<Record<Period, Limit | null>>;

/** Limits of the installation and of the sender. */
interface LimitsOfFax {
  readonly installation: Limits;
  readonly person: Limits;
}

export function installationLimits(settings: SpendingSettings): Limits {
  const currency = settings.currency();
  return { day: limitOf(settings.perDay(), currency), month: limitOf(settings.perMonth(), currency) };
}

/** Returns the limits of a person. In each period, a limit of their own takes precedence over that of everybody. */
export function personLimits(settings: SpendingSettings, own: OwnLimitRow | undefined): Limits {
  const currency = settings.currency();
  if (currency === null) return { day: null, month: null };
  const ofOwn = own?.currency ?? null;
  return {
    day: limitOf(own?.per_day ?? null, ofOwn) ?? limitOf(settings.personPerDay(), currency),
    month: limitOf(own?.per_month ?? null, ofOwn) ?? limitOf(settings.personPerMonth(), currency),
  };
}

export async function limitsFor(
  db: ReadDb,
  settings: SpendingSettings,
  principalId: string,
): Promise<LimitsOfFax> {
  const own = settings.currency() === null ? undefined : await findOwnLimit(db, principalId);
  return { installation: installationLimits(settings), person: personLimits(settings, own) };
}

function limitOf(amount: string | null, currency: string | null): Limit | null {
  if (amount === null || currency === null) return null;
  const millionths = millionthsOf(amount);
  return millionths === null ? null : { amount: millionths, currency };
}

/** Fax to count: its estimated cost, and the day (`2026-11-24`) it is sent. */
export interface CountedFax {
  readonly amount: bigint;
  readonly currency: string;
  readonly day: string;
  readonly principalId: string;
  readonly name: string;
}

/**
 * Names the limit that the fax would exceed, as a part of a sentence: that of the installation and of the month first;
 * null for none. A limit counts only its own currency, and a fax without cost passes nothing.
 */
export function limitProblem(
  limits: LimitsOfFax,
  totals: readonly TotalRow[],
  fax: CountedFax,
  today: string,
): string | null {
  if (fax.amount === 0n) return null;
  for (const whose of ['installation', 'person'] as const)
    for (const period of ['month', 'day'] as const) {
      const limit = limits[whose][period];
      if (limit === null || limit.currency !== fax.currency) continue;
      const of = whose === 'installation' ? INSTALLATION_TOTAL : fax.principalId;
      const over = countedAmount(totals, of, period, limit.currency) + fax.amount - limit.amount;
      if (over > 0n) return sentencePart({ limit, period, over }, { whose, fax, today });
    }
  return null;
}

/** Returns the total of a period in a currency: amounts spent, and estimates of faxes under way. */
export function countedAmount(
  totals: readonly TotalRow[],
  principalId: string,
  period: Period,
  currency: string,
): bigint {
  const row = totals.find((each) => each.principal_id === principalId && each.currency === currency);
  return row ? row[`${period}_spent`] + row[`${period}_reserved`] : 0n;
}

function sentencePart(
  { limit, period, over }: { limit: Limit; period: Period; over: bigint },
  { whose, fax, today }: { whose: keyof LimitsOfFax; fax: CountedFax; today: string },
): string {
  const isNow = period === 'day' ? fax.day === today : fax.day.slice(0, 7) === today.slice(0, 7);
  const when = { day: isNow ? 'today’s' : 'that day’s', month: isNow ? 'this month’s' : 'that month’s' };
  const who = whose === 'installation' ? '' : ` for ${fax.name}`;
  const text = (amount: bigint) => formatMoney(moneyOf(amount, limit.currency));
  const which = isNow ? '' : WHICH[period](new Date(`${fax.day}T00:00:00Z`));
  return `it would exceed ${when[period]} limit of ${text(limit.amount)}${who}${which} by ${text(over)}`;
}

const dayFormat = (options: Intl.DateTimeFormatOptions) =>
  dateFormat('en-US', { ...options, timeZone: 'UTC' });

/** ` on Saturday, November 28,` and ` in December` */
const WHICH = {
  day: (day: Date) => ` on ${dayFormat({ weekday: 'long', month: 'long', day: 'numeric' }).format(day)},`,
  month: (day: Date) => ` in ${dayFormat({ month: 'long' }).format(day)}`,
};
