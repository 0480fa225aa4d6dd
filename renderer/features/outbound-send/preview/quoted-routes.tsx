import { t } from '../../../texts/quoted-routes.ts';
import { formatMoney } from '../../../ui/money.ts';
import { type QuotedFax, useQuote } from './use-quote.ts';

/** The route that the fax would take, and those that it takes after a failure with what they cost. */
export default function QuotedRoutes({ fax }: { fax: QuotedFax }) {
  const quote = useQuote(fax);
  return quote?.ways.map(({ route, amount, chosen_by, reason }, place) => {
    if (route === null) return null;
    const cost = amount === null ? t.send.costUnknown : formatMoney(amount);
    return (
      <span key={route.id} title={place === 0 ? chosen_by : `${chosen_by} ${reason}`}>
        {place === 0 ? t.quotedRoutes.first : t.quotedRoutes.next}
        <b>{route.name}</b>
        {place > 0 && quote.has_rate_cards && `, ${cost}`}
      </span>
    );
  });
}
