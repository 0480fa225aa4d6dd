import { t } from '../../../texts/index.ts';
import { Icon } from '../../../ui/icon.tsx';
import { formatMoney } from '../../../ui/money.ts';
import styles from './preview-pane.module.css';
import { type QuotedFax, useQuote } from './use-quote.ts';

/** Shows the cost of the fax by its first transport, or why it is unknown. */
export default function QuotedCost({ fax }: { fax: QuotedFax }) {
  const data = useQuote(fax);
  const way = data?.ways[0];
  // Without any rate card the cost of every fax would show as unknown.
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
