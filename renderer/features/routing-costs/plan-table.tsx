import { useId } from 'react';
import { t } from '../../texts/costs.ts';
import { formatCount } from '../../ui/format.ts';
import { formatMoney } from '../../ui/money.ts';
import { numbersWord } from './card-words.ts';
import type { Plans } from './cost-queries.ts';
import styles from './costs.module.css';

const words = t.costs.month;

/** The monthly fees in force, and how many of their pages are left. */
export function PlanTable({ plans }: { plans: Plans['plans'] }) {
  const heading = useId();
  return (
    <section className={styles['part']} aria-labelledby={heading}>
      <h2 id={heading} className={styles['heading']}>
        {words.plans}
      </h2>
      <p className={styles['quiet']}>{words.plansSentence}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by the keyboard. */}
      <div className={styles['scroll']} role="group" aria-labelledby={heading} tabIndex={0}>
        <table className={styles['table']} aria-labelledby={heading}>
          <thead>
            <tr>
              {[words.provider, words.fee, words.included, words.used, words.left].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {plans.map((plan) => (
              <tr key={plan.rate_card.id}>
                <th scope="row">
                  {plan.route === null ? plan.name : t.costs.cards.ofRoute(plan.name, plan.route.name)}
                  <span className={styles['second']}>{numbersWord(plan.prefixes)}</span>
                </th>
                <td>{plan.monthly_fee === null ? words.nothing : formatMoney(plan.monthly_fee)}</td>
                <td>{countOrNone(plan.included_pages)}</td>
                <td>{formatCount(plan.used_pages)}</td>
                <td>{countOrNone(plan.left_pages)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const countOrNone = (count: number | null) => (count === null ? words.nothing : formatCount(count));
