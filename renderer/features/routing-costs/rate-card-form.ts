import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Price } from '../../../shared/api/routing-rates.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { isCurrency } from '../../../shared/money.ts';
import { type RateCard, rateCardsChanged, rates } from '../../api/rate-cards.ts';
import { isRefused } from '../../api/sentence.ts';
import { t } from '../../texts/costs.ts';
import { formatCount } from '../../ui/format.ts';

const words = t.costs.form;

/** Input of a rate card, as texts: an amount is never a number. */
interface TypedCard {
  readonly backend: string | null;
  /** Only for faxes by it; null for all by the provider. */
  readonly routeId: string | null;
  readonly currency: string;
  readonly perPage: string;
  readonly perMinute: string;
  readonly perFax: string;
  readonly increment: string;
  readonly minimum: string;
  readonly fee: string;
  readonly pages: string;
  readonly prefixes: string;
  readonly source: string;
  /** Of a field of day and time; empty for now. */
  readonly from: string;
}
export type FieldName = keyof TypedCard;
type FieldProblems = { readonly [Name in FieldName]?: string };

function formValuesOf(card: RateCard | undefined, currency: string): TypedCard {
  return {
    backend: card?.backend ?? null,
    routeId: card?.route_id ?? null,
    currency: card?.currency ?? currency,
    perPage: card?.per_page ?? '',
    perMinute: card?.per_minute ?? '',
    perFax: card?.per_fax ?? '',
    increment: String(card?.increment_seconds ?? 60),
    minimum: String(card?.minimum_seconds ?? 0),
    fee: card?.monthly_fee ?? '',
    pages: card?.included_pages?.toString() ?? '',
    prefixes: card?.prefixes.join(' ') ?? '',
    source: card?.source ?? '',
    from: '',
  };
}

const PRICES = ['perPage', 'perMinute', 'perFax', 'fee'] as const;
const prefixesOf = (text: string): string[] => text.split(/[\s,;]+/u).filter((prefix) => prefix !== '');
const isWhole = (text: string, least: number, most: number) =>
  /^\d{1,9}$/u.test(text.trim()) && Number(text) >= least && Number(text) <= most;

/** A sentence for each field that cannot be saved as it is. */
function fieldProblems(typed: TypedCard): FieldProblems {
  const faults: { [Name in FieldName]?: string } = {};
  if (typed.backend === null) faults.backend = words.providerMissing;
  if (!isCurrency(typed.currency.trim().toUpperCase())) faults.currency = words.currencyWrong;
  for (const name of PRICES) {
    const text = typed[name].trim();
    if (text !== '' && !Price.safeParse(text).success) faults[name] = words.priceWrong;
  }
  if (PRICES.every((name) => typed[name].trim() === '')) faults.perPage = words.noPrice;
  if (!isWhole(typed.increment, 1, 3600)) faults.increment = words.incrementWrong;
  if (!isWhole(typed.minimum, 0, 3600)) faults.minimum = words.minimumWrong;
  if (typed.pages.trim() !== '' && !isWhole(typed.pages, 1, LIMITS.includedPages))
    faults.pages = words.pagesWrong(formatCount(LIMITS.includedPages));
  const prefixes = prefixesOf(typed.prefixes);
  if (prefixes.some((prefix) => !/^\+\d{1,15}$/u.test(prefix))) faults.prefixes = words.prefixesWrong;
  if (prefixes.length > LIMITS.ratePrefixes)
    faults.prefixes = words.prefixesMany(formatCount(LIMITS.ratePrefixes));
  return faults;
}

function bodyOf(typed: TypedCard) {
  const orNull = (text: string) => text.trim() || null;
  return {
    currency: typed.currency.trim().toUpperCase(),
    per_page: orNull(typed.perPage),
    per_minute: orNull(typed.perMinute),
    per_fax: orNull(typed.perFax),
    increment_seconds: Number(typed.increment),
    minimum_seconds: Number(typed.minimum),
    monthly_fee: orNull(typed.fee),
    included_pages: typed.pages.trim() === '' ? null : Number(typed.pages),
    prefixes: prefixesOf(typed.prefixes),
    source: typed.source.trim(),
    ...(typed.from !== '' && { valid_from: new Date(typed.from).toISOString() }),
  };
}

/** The fields as they are typed, saved as a new card or as the next version of one. */
export function useRateCardForm(
  card: RateCard | undefined,
  currency: string,
  onDone: (saved: RateCard) => void,
) {
  const [typed, setTyped] = useState(() => formValuesOf(card, currency));
  const [version, setVersion] = useState(card?.version ?? 0);
  const [left, setLeft] = useState<ReadonlySet<FieldName>>(new Set());
  const [isChecked, setChecked] = useState(false);
  const saving = useMutation({
    mutationFn: async () =>
      card
        ? rates.changeRateCard({ params: { id: card.id }, body: { version, ...bodyOf(typed) } })
        : rates.createRateCard({
            body: { backend: typed.backend ?? '', route_id: typed.routeId, ...bodyOf(typed) },
          }),
    onSuccess: async (saved) => {
      await rateCardsChanged();
      onDone(saved);
    },
  });
  const faults = fieldProblems(typed);
  // Fields not visited yet show no error, and a missing price shows only after an attempt to save.
  const showsProblems = (name: FieldName) =>
    isChecked || (left.has(name) && typed[name] !== '' && faults[name] !== words.noPrice);
  return {
    typed,
    type: (change: Partial<TypedCard>) => {
      setTyped({ ...typed, ...change });
      if (isRefused(saving.error, 'rate_prefix_taken') && change.prefixes !== undefined) saving.reset();
    },
    leave: (name: FieldName) => setLeft(new Set([...left, name])),
    faultOf: (name: FieldName) => (showsProblems(name) ? (faults[name] ?? null) : null),
    save: () => {
      setChecked(true);
      if (Object.keys(faults).length === 0 && !saving.isPending) saving.mutate();
    },
    isPending: saving.isPending,
    error: saving.error,
    /** Takes the values that the other person saved in place of the typed ones. */
    reload: async () => {
      if (!card) return;
      const now = await rates.getRateCard({ params: { id: card.id } });
      setTyped(formValuesOf(now, currency));
      setVersion(now.version);
      saving.reset();
      await rateCardsChanged();
    },
  };
}

export type RateCardForm = ReturnType<typeof useRateCardForm>;
