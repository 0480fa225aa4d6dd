import { t } from '../../../texts/index.ts';
import { Icon } from '../../../ui/icon.tsx';
import { formatMoney } from '../../../ui/money.ts';
import styles from './preview-pane.module.css';
import { type QuotedFax, useQuote } from './use-quote.ts';

/** What the fax will cost by the way that it would take first, or that this is not known and why. */
export default function QuotedCost({ fax }: { fax: QuotedFax }) {
  const data = useQuote(fax);
  const way = data?.ways[0];
  // While nobody has entered any price, every fax would say that nothing is known.
  if (!way || !data.has_rate_cards) return null;
  return (
    <>
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
      {data.held !== null && (
        <span className={styles['held']} role="status">
          <Icon name="pause" size={14} /> {data.held}
        </span>
      )}
    </>
  );
}
