import type { z } from 'zod';
import type { PersonSpending, Spending, SpendingLimits } from '../../../../shared/api/routing-limits.ts';
import { type Money, moneyOf } from '../../../../shared/money.ts';
import type { Database, ReadDb } from '../../../db/database.ts';
import type { Clock } from '../../../platform/clock.ts';
import { localIsoDate } from '../../../platform/local-time.ts';
import { actorOf, type Caller, principalNames } from '../../access/service.ts';
import { recordedActor, type SecurityAudit } from '../../audit/service.ts';
import { noSpendingCurrency, noSuchPerson, stale } from '../errors.ts';
import { storedMillionths } from '../estimate.ts';
import { findOwnLimit, listOwnLimits, type OwnLimitRow, putOwnLimit } from '../store/limit-store.ts';
import { INSTALLATION_TOTAL, type TotalRow, totalsOf } from '../store/total-store.ts';
import {
  countedAmount,
  installationLimits,
  type Limit,
  type Limits,
  type Period,
  personLimits,
  type SpendingSettings,
} from './limits.ts';

interface PersonLimitParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly timeZone: () => string | null;
  readonly settings: SpendingSettings;
}

type PersonAnswer = z.infer<typeof PersonSpending>;

/** Amounts as they are entered: decimal texts, null where the limit of each person is to hold. */
interface LimitInput {
  readonly version: number;
  readonly per_day: string | null;
  readonly per_month: string | null;
}

/** Spending limits and spent amounts of the installation and of people. Refusals are RoutingRefusalError. */
export interface PersonLimits {
  installation(): Promise<z.infer<typeof SpendingLimits>>;
  list(page: {
    limit: number;
    cursor?: string | undefined;
  }): Promise<{ items: PersonAnswer[]; next_cursor: string | null }>;
  get(principalId: string): Promise<PersonAnswer>;
  set(caller: Caller, principalId: string, entered: LimitInput): Promise<PersonAnswer>;
}

export function createPersonLimits(parts: PersonLimitParts): PersonLimits {
  const { db, clock, settings, timeZone } = parts;
  const today = () => localIsoDate(clock.now(), timeZone());
  return {
    async installation() {
      const totals = await totalsOf(db.read, [INSTALLATION_TOTAL], today());
      const currency = settings.currency();
      const { day, month } = personLimits(settings, undefined);
      return {
        currency,
        date: today(),
        ...spendingOf(installationLimits(settings), totals, INSTALLATION_TOTAL),
        each_person: { per_day: moneyOfLimit(day), per_month: moneyOfLimit(month) },
      };
    },
    async list(page) {
      const { items, next_cursor } = await listOwnLimits(db.read, page);
      const ids = items.map(({ principal_id }) => principal_id);
      const names = await principalNames(db.read, ids);
      const totals = await totalsOf(db.read, ids, today());
      const shown = items.map((own) =>
        present(settings, own, totals, names.get(own.principal_id) ?? 'A former person'),
      );
      return { items: shown, next_cursor };
    },
    async get(principalId) {
      return read(parts, db.read, principalId, today());
    },
    async set(caller, principalId, entered) {
      await set(parts, caller, principalId, entered);
      return read(parts, db.read, principalId, today());
    },
  };
}

async function read(
  { settings }: PersonLimitParts,
  db: ReadDb,
  principalId: string,
  today: string,
): Promise<PersonAnswer> {
  const name = await nameOf(db, principalId);
  const own = (await findOwnLimit(db, principalId)) ?? noLimit(principalId);
  return present(settings, own, await totalsOf(db, [principalId], today), name);
}

async function nameOf(db: ReadDb, principalId: string): Promise<string> {
  const name = (await principalNames(db, [principalId])).get(principalId);
  if (name === undefined) throw noSuchPerson();
  return name;
}

const noLimit = (principal_id: string): OwnLimitRow => ({
  principal_id,
  version: 0,
  currency: '',
  per_day: null,
  per_month: null,
});

async function set(
  { db, audit, settings }: PersonLimitParts,
  caller: Caller,
  principal_id: string,
  { version: before, per_day, per_month }: LimitInput,
): Promise<void> {
  const currency = settings.currency();
  if (currency === null) throw noSpendingCurrency();
  await db.transaction(async (tx) => {
    await nameOf(tx, principal_id);
    const row = { principal_id, version: before + 1, currency, per_day, per_month };
    if (!(await putOwnLimit(tx, row, before))) throw stale();
    await audit.record(tx, {
      ...recordedActor(actorOf(caller)),
      operation: 'spending_limit.change',
      target: { kind: 'principal', id: principal_id },
      outcome: 'done',
      details: { currency, per_day, per_month },
    });
  });
}

function present(
  settings: SpendingSettings,
  own: OwnLimitRow,
  totals: readonly TotalRow[],
  name: string,
): PersonAnswer {
  const { principal_id: id, version, currency, per_day, per_month } = own;
  const entered = (amount: string | null) =>
    amount === null ? null : moneyOf(storedMillionths(amount), currency);
  return {
    principal: { id, name },
    currency: settings.currency(),
    version,
    own: { per_day: entered(per_day), per_month: entered(per_month) },
    ...spendingOf(personLimits(settings, own), totals, id),
  };
}

type SpendingAnswer = z.infer<typeof Spending>;

function spendingOf(
  limits: Limits,
  totals: readonly TotalRow[],
  principalId: string,
): Record<Period, SpendingAnswer> {
  const own = totals.filter(({ principal_id }) => principal_id === principalId);
  const of = (period: Period): SpendingAnswer => {
    const limit = limits[period];
    const amounts = (what: 'spent' | 'reserved') =>
      own.flatMap((row) => {
        const amount = row[`${period}_${what}`];
        return row.currency === '' || amount === 0n ? [] : [moneyOf(amount, row.currency)];
      });
    const unknown = own.find(({ currency }) => currency === '')?.[`${period}_attempts`] ?? 0;
    const counted = limit === null ? 0n : countedAmount(own, principalId, period, limit.currency);
    return {
      limit: moneyOfLimit(limit),
      spent: amounts('spent'),
      under_way: amounts('reserved'),
      left: limit === null ? null : leftOf(limit, counted),
      unknown,
    };
  };
  return { day: of('day'), month: of('month') };
}

const leftOf = ({ amount, currency }: Limit, counted: bigint): Money =>
  moneyOf(amount > counted ? amount - counted : 0n, currency);

const moneyOfLimit = (limit: Limit | null): Money | null => limit && moneyOf(limit.amount, limit.currency);
