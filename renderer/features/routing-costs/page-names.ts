import { t } from '../../texts/costs.ts';

/** The pages of the Costs screen, as its address names them. */
export const COST_PAGES = [
  { page: 'month', label: t.costs.month.title },
  { page: 'rate-cards', label: t.costs.cards.title },
] as const;
