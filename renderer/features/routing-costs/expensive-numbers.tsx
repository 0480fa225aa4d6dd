import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { t } from '../../texts/costs.ts';
import { formatCount, usePhoneFormat } from '../../ui/format.ts';
import { formatMoney } from '../../ui/money.ts';
import type { ExpensiveNumber } from './cost-queries.ts';
import styles from './costs.module.css';
import { daysOfMonth } from './months.ts';

const words = t.costs.month;

/** The ten numbers of a month that cost most, of each currency for itself; `numbers` is null for who may not see them. */
export function ExpensiveNumbers({
  month,
  numbers,
}: {
  month: string;
  numbers: readonly ExpensiveNumber[] | null;
}) {
  if (numbers !== null) {
    const byCurrency = [...Map.groupBy(numbers, ({ currency }) => currency)];
    return byCurrency.map(([currency, ofIt]) => (
      <NumberTable
        key={currency}
        title={byCurrency.length === 1 ? words.dear : words.dearOf(currency)}
        month={month}
        numbers={ofIt}
      />
    ));
  }
  return (
    <section className={styles['part']}>
      <h2 className={styles['heading']}>{words.dear}</h2>
      <p className={styles['quiet']}>{words.dearHidden}</p>
    </section>
  );
}

function NumberTable(props: { title: string; month: string; numbers: readonly ExpensiveNumber[] }) {
  const { title, month, numbers } = props;
  const heading = useId();
  return (
    <section className={styles['part']} aria-labelledby={heading}>
      <h2 id={heading} className={styles['heading']}>
        {title}
      </h2>
      <table className={styles['table']} data-narrow aria-labelledby={heading}>
        <thead>
          <tr>
            <th scope="col">{words.number}</th>
            <th scope="col">{words.amount}</th>
            <th scope="col">{words.attemptsHead}</th>
          </tr>
        </thead>
        <tbody>
          {numbers.map((each) => (
            <NumberLine key={each.number} month={month} dear={each} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function NumberLine({ month, dear }: { month: string; dear: ExpensiveNumber }) {
  const phone = usePhoneFormat();
  const number = phone(dear.number);
  const { from: since, to: until } = daysOfMonth(month);
  const name = dear.contact?.name ?? number;
  return (
    <tr>
      <th scope="row">
        <Link
          to="/sent/{-$sentId}"
          params={{ sentId: undefined }}
          search={{ q: dear.number, since, until }}
          className={styles['link']}
          title={words.showFaxes(name)}
        >
          {name}
        </Link>
        {dear.contact !== null && <span className={styles['second']}>{number}</span>}
      </th>
      <td>{formatMoney(dear)}</td>
      <td>{formatCount(dear.attempts)}</td>
    </tr>
  );
}
