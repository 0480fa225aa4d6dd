import { useId, useState } from 'react';
import { COST_GROUPS, type CostGroup } from '../../../shared/api/routing-costs.ts';
import { t } from '../../texts/costs.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { formatMoney } from '../../ui/money.ts';
import { Tab, Tabs } from '../../ui/tabs.tsx';
import type { Costs, Sums } from './cost-queries.ts';
import { amountIn, barLength, type CostRow, costRows, currenciesOf, millionthsIn } from './cost-rows.ts';
import styles from './costs.module.css';
import { shortMonthName } from './months.ts';

const words = t.costs.month;
/** As many as are looked over at once. */
const FIRST = 40;

interface CostTableProps {
  readonly month: string;
  readonly before: string;
  readonly sums: Costs;
  readonly sumsBefore: Costs;
  readonly group: CostGroup;
  readonly onGroup: (group: CostGroup) => void;
}

/** Table of costs by day, route, mailbox, person or country, with a bar for each amount. */
export function CostTable({ month, before, sums, sumsBefore, group, onGroup }: CostTableProps) {
  const heading = useId();
  const [isWhole, setWhole] = useState(false);
  const rows = costRows(sums, sumsBefore);
  const view = viewOf(sums, sumsBefore, rows);
  const shown = isWhole ? rows : rows.slice(0, FIRST);
  const names = { month: shortMonthName(month), before: view.compares ? shortMonthName(before) : null };
  return (
    <section className={styles['part']} aria-labelledby={heading}>
      <h2 id={heading} className={styles['heading']}>
        {words.amounts}
      </h2>
      <Tabs label={words.by}>
        {COST_GROUPS.map((each) => (
          <Tab key={each} isOn={each === group} onPress={() => onGroup(each)}>
            {words.groups[each]}
          </Tab>
        ))}
      </Tabs>
      {view.currencies.length > 1 && <p className={styles['quiet']}>{words.scales}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by the keyboard. */}
      <div className={styles['scroll']} role="group" aria-labelledby={heading} tabIndex={0}>
        <table className={styles['table']} aria-labelledby={heading}>
          <thead>
            <Head group={sums.group_by} names={names} view={view} />
          </thead>
          <tbody>
            {shown.map((row) => (
              <Line key={row.id} row={row} view={view} />
            ))}
          </tbody>
          <tfoot>
            <Cells name={words.summary} now={sums.all} before={sumsBefore.all} view={view} bars={null} />
          </tfoot>
        </table>
      </div>
      {shown.length < rows.length && (
        <div>
          <Button onPress={() => setWhole(true)}>{words.more(formatCount(rows.length))}</Button>
        </div>
      )}
    </section>
  );
}

/** Options of the table. */
interface View {
  readonly currencies: readonly string[];
  /** The largest amount of each currency, in millionths. */
  readonly most: ReadonlyMap<string, bigint>;
  /** Days of two months are not compared, nor is a month with an empty one. */
  readonly compares: boolean;
  readonly hasUnknown: boolean;
}

function viewOf(sums: Costs, sumsBefore: Costs, rows: readonly CostRow[]): View {
  const compares = sums.group_by !== 'day' && sumsBefore.all.known + sumsBefore.all.unknown > 0;
  const currencies = currenciesOf(compares ? [sums.all, sumsBefore.all] : [sums.all]);
  const most = currencies.map((currency) => {
    const amounts = rows.flatMap((row) => [
      millionthsIn(row.now, currency),
      millionthsIn(row.before, currency),
    ]);
    return [currency, amounts.reduce((a, b) => (a > b ? a : b), 0n)] as const;
  });
  return { currencies, most: new Map(most), compares, hasUnknown: sums.all.unknown > 0 };
}

function Head(props: { group: CostGroup; names: { month: string; before: string | null }; view: View }) {
  const { group, names, view } = props;
  return (
    <tr>
      <th scope="col">{words.groups[group]}</th>
      <td aria-hidden="true" />
      <th scope="col" data-bar="now">
        {names.month}
      </th>
      {names.before !== null && (
        <th scope="col" data-bar="before">
          {names.before}
        </th>
      )}
      <th scope="col">{words.attemptsHead}</th>
      {view.hasUnknown && <th scope="col">{words.unknownHead}</th>}
    </tr>
  );
}

function Line({ row, view }: { row: CostRow; view: View }) {
  return <Cells name={row.name} now={row.now} before={row.before} view={view} bars={row} />;
}

function Cells(props: { name: string; now: Sums; before: Sums; view: View; bars: CostRow | null }) {
  const { name, now, before, view, bars } = props;
  // A currency that neither month has here would be an empty line.
  const currencies = currenciesOf(view.compares ? [now, before] : [now]);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td aria-hidden="true" className={styles['bar']}>
        {bars && currencies.map((currency) => <Bar key={currency} row={bars} {...{ currency, view }} />)}
      </td>
      <td>
        <Amounts of={now} currencies={currencies} />
      </td>
      {view.compares && (
        <td>
          <Amounts of={before} currencies={currencies} />
        </td>
      )}
      <td>{formatCount(now.known + now.unknown)}</td>
      {view.hasUnknown && <td>{formatCount(now.unknown)}</td>}
    </tr>
  );
}

/** Each currency in its own line, beside its bar. */
function Amounts({ of, currencies }: { of: Sums; currencies: readonly string[] }) {
  if (of.amounts.length === 0) return words.nothing;
  return currencies.map((currency) => {
    const amount = amountIn(of, currency);
    return (
      <span key={currency} className={styles['amount']}>
        {amount === null ? words.nothing : formatMoney({ amount, currency })}
      </span>
    );
  });
}

/** Bars of one currency: this month above the month before. */
function Bar({ row, currency, view }: { row: CostRow; currency: string; view: View }) {
  const most = view.most.get(currency) ?? 0n;
  const height = view.compares ? 6 : 8;
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" focusable="false">
      <rect
        data-bar="now"
        x={0}
        y={view.compares ? 0 : 1}
        width={barLength(millionthsIn(row.now, currency), most)}
        height={height}
      />
      {view.compares && (
        <rect
          data-bar="before"
          x={0}
          y={7}
          width={barLength(millionthsIn(row.before, currency), most)}
          height={3}
        />
      )}
    </svg>
  );
}
