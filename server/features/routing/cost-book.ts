import { type Money, moneyOf, type PageShare, shareOfPages } from '../../../shared/money.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import { isoTime } from '../../platform/clock.ts';
import { localIsoDate } from '../../platform/local-time.ts';
import { countryOf } from '../../platform/phone-number.ts';
import { estimate, pagesOfPlan, storedMillionths } from './estimate.ts';
import { type Billed, priceOf } from './price.ts';
import { versionsOf } from './store/card-store.ts';
import { addPlanPages, changeCost, costsOfJobs, findCost, insertCost } from './store/cost-store.ts';
import { recordOutcome } from './store/destination-store.ts';
import { addToSums } from './store/sum-store.ts';
import type { AttemptOutcome, CostRow } from './types.ts';

/** An attempt that begins. */
interface BegunAttempt {
  readonly attemptId: string;
  readonly jobId: string;
  readonly backend: string;
  /** The delivery route; null where no route chose the backend. */
  readonly routeId: string | null;
  /** E.164. */
  readonly to: string;
  readonly pages: number;
  /** Estimated duration of its call, in seconds. */
  readonly seconds: number;
  readonly mailboxId: string | null;
  readonly createdBy: string;
}

/** End of an attempt that was taken, or may have been. */
export interface EndedAttempt {
  /** Amount reported by the transport; null while there is none. */
  readonly reported: Money | null;
  /** Billed pages and seconds of its call; null when its outcome is unknown. */
  readonly billed: Billed | null;
  /** Share in a call with several faxes. */
  readonly share: PageShare | null;
  /** True when the transport may still report the cost. */
  readonly mayReport: boolean;
}

/**
 * Costs of attempts: estimated when they begin, charged as reported by the transport or calculated by the card, settled
 * when nothing more is expected. Called in the transaction that records the outcome of a fax. Queries only.
 */
export interface CostBook {
  begin(tx: WriteTx, attempt: BegunAttempt): Promise<void>;
  ended(tx: WriteTx, attemptId: string, ending: EndedAttempt): Promise<void>;
  /** Nothing was taken: it costs nothing and counts nowhere. */
  notTaken(tx: WriteTx, attemptId: string): Promise<void>;
  /** Records the amount that the transport billed, perhaps late or again. Returns true when it was new. */
  charged(tx: WriteTx, attemptId: string, amount: Money): Promise<boolean>;
  /** Settles an attempt for which the transport reported nothing while it was polled. */
  settle(tx: WriteTx, attemptId: string): Promise<void>;
  /** Records the outcome of an attempt: it counts for or against its route, also where it costs nothing. */
  recordOutcome(tx: WriteTx, attemptId: string, outcome: AttemptOutcome): Promise<void>;
  /** Returns the costs of these faxes, by fax, in the order of the attempts. */
  costsOfFaxes(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlyMap<string, readonly CostRow[]>>;
}

export function createCostBook(parts: { clock: Clock; timeZone: () => string | null }): CostBook {
  return {
    begin: (tx, attempt) => begin(parts, tx, attempt),
    async ended(tx, attemptId, ending) {
      const row = await findCost(tx, attemptId);
      // A reported amount is final: a later end changes nothing.
      if (!row || row.state === 'void' || row.certainty === 'reported') return;
      const amount = await amountOf(tx, row, ending);
      const state = ending.reported !== null || !ending.mayReport ? 'settled' : 'ended';
      await write(tx, row, { ...amount, state });
    },
    async notTaken(tx, attemptId) {
      const row = await findCost(tx, attemptId);
      if (row && row.state !== 'void') await write(tx, row, { ...UNKNOWN, state: 'void' });
    },
    async charged(tx, attemptId, amount) {
      const row = await findCost(tx, attemptId);
      if (!row || row.state === 'void') return false;
      const isKnown = row.certainty === 'reported' && row.state === 'settled';
      if (isKnown && row.charged === amount.amount && row.charged_currency === amount.currency) return false;
      await write(tx, row, { ...reportedAmount(amount, row.plan_pages), state: 'settled' });
      return true;
    },
    async settle(tx, attemptId) {
      const row = await findCost(tx, attemptId);
      if (row?.state === 'ended') await write(tx, row, { ...currentAmount(row), state: 'settled' });
    },
    recordOutcome: (tx, attemptId, outcome) =>
      recordOutcome(tx, attemptId, { outcome, ended_at: isoTime(parts.clock.now()) }),
    async costsOfFaxes(db, faxIds) {
      return Map.groupBy(await costsOfJobs(db, faxIds), ({ job_id }) => job_id);
    },
  };
}

type Amount = Pick<CostRow, 'charged' | 'charged_currency' | 'certainty' | 'plan_pages'>;

const UNKNOWN: Amount = { charged: null, charged_currency: null, certainty: null, plan_pages: 0 };

const reportedAmount = ({ amount, currency }: Money, plan_pages: number): Amount => ({
  charged: amount,
  charged_currency: currency,
  certainty: 'reported',
  plan_pages,
});

const currentAmount = ({ charged, charged_currency, certainty, plan_pages }: CostRow): Amount => ({
  charged,
  charged_currency,
  certainty,
  plan_pages,
});

async function begin(
  { clock, timeZone }: { clock: Clock; timeZone: () => string | null },
  tx: WriteTx,
  { attemptId, jobId, mailboxId, createdBy, ...fax }: BegunAttempt,
): Promise<void> {
  const at = clock.now();
  const { backend, routeId, to, pages, seconds } = fax;
  const { card, amount } = await estimate(tx, { ...fax, at, timeZone: timeZone() });
  await insertCost(tx, {
    attempt_id: attemptId,
    job_id: jobId,
    begun_at: isoTime(at),
    day: localIsoDate(at, timeZone()),
    backend,
    route_id: routeId,
    mailbox_id: mailboxId,
    created_by: createdBy,
    country: countryOf(to) ?? '',
    to_number: to,
    pages,
    seconds,
    card_id: card?.version.card_id ?? null,
    card_version: card?.version.version ?? null,
    estimated: amount?.amount ?? null,
    estimated_currency: amount?.currency ?? null,
    ...UNKNOWN,
    outcome: null,
    ended_at: null,
    state: 'begun',
    revision: 1,
  });
}

/** Returns the cost of an attempt that ended, by the card that it began with when the transport reported nothing. */
async function amountOf(
  tx: WriteTx,
  row: CostRow,
  { reported, billed, share }: EndedAttempt,
): Promise<Amount> {
  const { card_id, card_version } = row;
  const versions = card_id === null ? [] : await versionsOf(tx, [card_id]);
  const version = versions.find((each) => each.version === card_version);
  if (billed === null || card_id === null || !version)
    return reported === null ? UNKNOWN : reportedAmount(reported, row.plan_pages);
  const month = row.day.slice(0, 7);
  const { included_pages } = version;
  const used = row.plan_pages;
  const fromPlan = await pagesOfPlan(tx, { card_id, included_pages, month, pages: billed.pages ?? 0, used });
  if (reported !== null) return reportedAmount(reported, fromPlan);
  const pages = billed.pages === null ? null : billed.pages - fromPlan;
  const ofPages = priceOf({ ...version, per_minute: null, per_fax: null }, { ...billed, pages });
  const ofCall = priceOf({ ...version, per_page: null }, billed);
  if (ofPages === null || ofCall === null) return { ...UNKNOWN, plan_pages: fromPlan };
  const { amount, currency } = moneyOf(
    ofPages + (share === null ? ofCall : shareOfPages(ofCall, share)),
    version.currency,
  );
  return { charged: amount, charged_currency: currency, certainty: 'calculated', plan_pages: fromPlan };
}

/** Writes the row and the sums together: subtracts the amount counted before and adds the present one. */
async function write(tx: WriteTx, before: CostRow, change: Amount & Pick<CostRow, 'state'>): Promise<void> {
  if (!(await changeCost(tx, before, change))) throw new ConcurrentChangeError();
  const after = { ...before, ...change };
  if (before.card_id !== null) {
    const pages = after.plan_pages - before.plan_pages;
    await addPlanPages(tx, { card_id: before.card_id, month: before.day.slice(0, 7), pages });
  }
  const [was, is] = [countedAmount(before), countedAmount(after)];
  if (was?.currency === is?.currency && was?.amount === is?.amount) return;
  if (was) await addToSums(tx, before, { currency: was.currency, amount: -was.amount, attempts: -1 });
  if (is) await addToSums(tx, after, { ...is, attempts: 1 });
}

/** Null while it counts nowhere; of an unknown amount without a currency. */
function countedAmount(row: CostRow): { currency: string; amount: bigint } | null {
  if (row.state === 'begun' || row.state === 'void') return null;
  if (row.charged === null || row.charged_currency === null) return { currency: '', amount: 0n };
  return { currency: row.charged_currency, amount: storedMillionths(row.charged) };
}

/**
 * Thrown when two transactions recorded the same amount at once; the database repeats the transaction, as for conflicts
 * of its own.
 */
class ConcurrentChangeError extends Error {
  override name = 'ConcurrentChangeError';
  readonly code = '40001';
}
