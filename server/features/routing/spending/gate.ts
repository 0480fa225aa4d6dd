import { type Money, moneyOf } from '../../../../shared/money.ts';
import type { Database, ReadDb, WriteTx } from '../../../db/database.ts';
import type { Clock } from '../../../platform/clock.ts';
import { localIsoDate } from '../../../platform/local-time.ts';
import { estimate, storedMillionths } from '../estimate.ts';
import {
  addToTotals,
  findReserve,
  INSTALLATION_TOTAL,
  insertReserve,
  lockSpending,
  type ReserveRow,
  removeReserve,
  type TotalRow,
  totalsOf,
} from '../store/total-store.ts';
import { type CountedFax, limitProblem, limitsFor, type SpendingSettings } from './limits.ts';

/** Fax that spending limits count. */
interface SpendingFax {
  readonly jobId: string;
  readonly backend: string;
  /** The delivery route; null where no route chose the backend. */
  readonly routeId: string | null;
  /** E.164. */
  readonly to: string;
  readonly pages: number;
  /** Estimated duration of its call, in seconds. */
  readonly seconds: number;
  /** Sender, with the display name below. */
  readonly createdBy: string;
  readonly createdByName: string;
  /** Time to send it, epoch milliseconds; null for now. */
  readonly at: number | null;
  /** True when a person released it: it is counted, and no limit holds it. */
  readonly isReleased: boolean;
}

/** Fax that a person considers sending. */
type FaxToPreview = Omit<SpendingFax, 'jobId' | 'isReleased'>;

/**
 * Spending limits. A fax that was accepted counts with its estimate until it has ended, and then with its cost, so that
 * concurrent faxes cannot pass a limit together. Called in the transaction that records a change of a fax.
 */
export interface SpendingGate {
  /** False while no limit is in force: then the database is not queried. */
  isOn(): boolean;
  /**
   * Counts a fax from now on, or returns a sentence that says why it is held instead when it would pass a limit, else
   * null. A fax of unknown cost, or without cost, is never held. Queries only.
   */
  admit(tx: WriteTx, fax: SpendingFax): Promise<string | null>;
  /** The fax is under way no more: its estimate counts no longer. Queries only. */
  forget(tx: WriteTx, jobId: string): Promise<void>;
  /** Returns a sentence that says why the fax would be held on the day it leaves; null when it would not. */
  preview(db: ReadDb, fax: FaxToPreview): Promise<string | null>;
}

interface GateParts {
  readonly db: Pick<Database, 'capabilities'>;
  readonly clock: Clock;
  readonly timeZone: () => string | null;
  readonly settings: SpendingSettings;
}

const MAY_RELEASE = 'Ask your office manager to release it.';

export function createSpendingGate(parts: GateParts): SpendingGate {
  const isOn = () => parts.settings.currency() !== null;
  return {
    isOn,
    async admit(tx, fax) {
      if (!isOn()) return null;
      const passes = await admit(parts, tx, fax);
      return passes === null ? null : `Held: ${passes}. ${MAY_RELEASE}`;
    },
    async forget(tx, jobId) {
      const before = await removeReserve(tx, jobId);
      if (before) await countReserve(tx, before, -1n);
    },
    async preview(db, fax) {
      if (!isOn()) return null;
      const counted = await countFax(parts, db, fax);
      if (counted === null) return null;
      const passes = await checkLimits(parts, db, counted, null);
      return passes === null ? null : `It will be held: ${passes}.`;
    },
  };
}

async function admit(parts: GateParts, tx: WriteTx, fax: SpendingFax): Promise<string | null> {
  const counted = await countFax(parts, tx, fax);
  const before = (await findReserve(tx, fax.jobId)) ?? null;
  if (counted === null && before === null) return null;
  if (counted && before && isReserveEnough(before, counted)) return null;
  await lockSpending(tx, parts.db.capabilities);
  const passes = counted && !fax.isReleased ? await checkLimits(parts, tx, counted, before) : null;
  if (before) {
    await removeReserve(tx, fax.jobId);
    await countReserve(tx, before, -1n);
  }
  if (counted === null || passes !== null) return passes;
  const { amount, currency } = moneyOf(counted.amount, counted.currency);
  const reserve = { job_id: fax.jobId, day: counted.day, created_by: fax.createdBy, currency, amount };
  await insertReserve(tx, reserve);
  await countReserve(tx, reserve, 1n);
  return null;
}

/** Returns the estimate to count; null when it is unknown or zero. */
async function countFax(
  { clock, timeZone }: GateParts,
  db: ReadDb,
  fax: FaxToPreview,
): Promise<CountedFax | null> {
  const at = Math.max(clock.now(), fax.at ?? 0);
  const { amount } = await estimate(db, { ...fax, at, timeZone: timeZone() });
  if (amount === null || millionths(amount) === 0n) return null;
  return {
    amount: millionths(amount),
    currency: amount.currency,
    day: localIsoDate(at, timeZone()),
    principalId: fax.createdBy,
    name: fax.createdByName,
  };
}

const millionths = ({ amount }: Pick<Money, 'amount'>) => storedMillionths(amount);

const isReserveEnough = (before: ReserveRow, { day, currency, amount }: CountedFax): boolean =>
  before.day === day && before.currency === currency && millionths(before) >= amount;

async function checkLimits(
  { settings, clock, timeZone }: GateParts,
  db: ReadDb,
  fax: CountedFax,
  own: ReserveRow | null,
): Promise<string | null> {
  const limits = await limitsFor(db, settings, fax.principalId);
  const totals = await totalsOf(db, [INSTALLATION_TOTAL, fax.principalId], fax.day);
  const others = own === null ? totals : totals.map((row) => withoutOwn(row, own, fax.day));
  return limitProblem(limits, others, fax, localIsoDate(clock.now(), timeZone()));
}

/** Subtracts the earlier estimate of the same fax from the totals. */
function withoutOwn(row: TotalRow, own: ReserveRow, day: string): TotalRow {
  if (row.currency !== own.currency || own.day.slice(0, 7) !== day.slice(0, 7)) return row;
  const amount = millionths(own);
  return {
    ...row,
    month_reserved: row.month_reserved - amount,
    day_reserved: row.day_reserved - (own.day === day ? amount : 0n),
  };
}

async function countReserve(tx: WriteTx, row: ReserveRow, sign: 1n | -1n): Promise<void> {
  await addToTotals(tx, { ...row, reserved: sign * millionths(row) });
}
