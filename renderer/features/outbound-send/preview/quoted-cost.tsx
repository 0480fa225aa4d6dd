import { useQuery } from '@tanstack/react-query';
import { costs } from '../../../api/costs.ts';
import { t } from '../../../texts/index.ts';
import { formatMoney } from '../../../ui/money.ts';

/** What the fax will cost by the way that it would take first, or that this is not known and why. */
export default function QuotedCost({ to, pages, seconds }: { to: string; pages: number; seconds: number }) {
  const query = { to, pages: String(pages), seconds: String(seconds), by_call: 'true' };
  const { data } = useQuery({
    queryKey: ['quote', query],
    queryFn: ({ signal }) => costs.quote({ query, signal }),
    // Rate cards change, and pages of a monthly fee are used up.
    staleTime: 0,
  });
  const way = data?.ways[0];
  // While nobody has entered any price, every fax would say that nothing is known.
  if (!way || !data.has_rate_cards) return null;
  return (
    <span title={way.reason}>
      {way.amount === null ? (
        t.send.costUnknown
      ) : (
        <>
          {t.send.costs}
          <b>{formatMoney(way.amount)}</b>
        </>
      )}
    </span>
  );
}
