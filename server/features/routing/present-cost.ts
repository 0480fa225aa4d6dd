import type { z } from 'zod';
import type { AttemptCost } from '../../../shared/api/routing-costs.ts';
import { type Money, moneyOf } from '../../../shared/money.ts';
import type { CostState } from '../../../shared/states/routing.ts';
import { storedMillionths } from './estimate.ts';
import type { CostRow } from './types.ts';

const STATES = { begun: 'estimated', ended: 'charged', settled: 'settled' } as const satisfies Record<
  string,
  CostState
>;

/** Presents the cost of one attempt; null for one that was never taken. */
export function attemptCost(row: CostRow): z.infer<typeof AttemptCost> | null {
  if (row.state === 'void') return null;
  const { card_id, card_version } = row;
  return {
    state: STATES[row.state],
    estimated: money(row.estimated, row.estimated_currency),
    charged: money(row.charged, row.charged_currency),
    certainty: row.certainty,
    rate_card: card_id === null || card_version === null ? null : { id: card_id, version: card_version },
  };
}

/**
 * Returns the cost of a fax with all its attempts; null while that of one is unknown, and when their currencies differ.
 */
export function costOf(rows: readonly CostRow[]): Money | null {
  const taken = rows.filter(({ state }) => state !== 'void');
  const currency = taken[0]?.charged_currency ?? null;
  if (currency === null) return null;
  let sum = 0n;
  for (const row of taken) {
    if (row.charged === null || row.charged_currency !== currency) return null;
    sum += storedMillionths(row.charged);
  }
  return moneyOf(sum, currency);
}

const money = (amount: string | null, currency: string | null): Money | null =>
  amount === null || currency === null ? null : { amount, currency };
