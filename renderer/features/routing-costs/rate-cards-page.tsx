import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePermission } from '../../api/queries.ts';
import { rateCardsQuery } from '../../api/rate-cards.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/costs.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import styles from './costs.module.css';
import { RateCardDialog } from './rate-card-dialog.tsx';
import { RateCardItem } from './rate-card-item.tsx';

const words = t.costs.cards;
const KEY = 'shift+a';

/** Shows the rate cards of providers and the phone line. */
export function RateCardsPage() {
  const mayManage = usePermission('routing:manage');
  const [isAdding, setAdding] = useState(false);
  const read = useQuery(rateCardsQuery);
  const cards = read.data;
  const add = () => setAdding(true);
  useActions(
    t.costs.title,
    mayManage ? [{ id: 'add-card', label: words.add, icon: 'plus', keys: KEY, run: add }] : [],
  );
  return (
    <Pane label={words.title}>
      <PaneHead isForm title={words.title}>
        {mayManage && (
          <Button variant="primary" keys={KEY} onPress={add}>
            {words.add}
          </Button>
        )}
      </PaneHead>
      <PaneBody isPadded label={words.title}>
        <div className={styles['column']}>
          <p className={styles['quiet']}>{words.sentence}</p>
          <LoadProblem of={read} />
          {cards?.length === 0 && (
            <EmptyState icon="costs" title={words.empty}>
              {mayManage ? words.emptySentence : words.emptyForReaders}
            </EmptyState>
          )}
          {cards && cards.length > 0 && (
            <ul className={styles['list']} aria-label={words.list}>
              {cards.map((card) => (
                <RateCardItem key={card.id} card={card} mayManage={mayManage} />
              ))}
            </ul>
          )}
        </div>
      </PaneBody>
      {isAdding && <RateCardDialog currency={cards?.[0]?.currency} onClose={() => setAdding(false)} />}
    </Pane>
  );
}
