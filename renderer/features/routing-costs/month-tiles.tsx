import { t } from '../../texts/costs.ts';
import { formatCount } from '../../ui/format.ts';
import { formatMoney } from '../../ui/money.ts';
import type { Costs, Plans, Sums } from './cost-queries.ts';
import styles from './costs.module.css';
import { dayName, monthName } from './months.ts';

const words = t.costs.month;
type Money = Sums['amounts'][number];

/** A month and the one before in one glance; each currency stands for itself. */
export function MonthTiles(props: {
  month: string;
  before: string;
  isPast: boolean;
  sums: Costs;
  sumsBefore: Costs;
  /** Of the month before, up to the same day; undefined while it is read, and where the month is over. */
  byToday: Costs | undefined;
  fees: Plans['fees'];
}) {
  const { month, before, isPast, sums, sumsBefore, byToday, fees } = props;
  const name = monthName(month);
  return (
    <dl className={styles['tiles']} aria-label={words.summary}>
      <Tile
        name={isPast ? name : words.soFar(name)}
        amounts={sums.all.amounts}
        notes={[attemptsOf(sums.all), unknownOf(sums.all)]}
      />
      {hasFaxes(sumsBefore.all) && (
        <Tile
          name={monthName(before)}
          amounts={sumsBefore.all.amounts}
          notes={[attemptsOf(sumsBefore.all), unknownOf(sumsBefore.all), byDayOf(sumsBefore, byToday)]}
        />
      )}
      {fees.length > 0 && <Tile name={words.fees} amounts={fees} notes={[words.feesSentence]} />}
    </dl>
  );
}

function Tile(props: { name: string; amounts: readonly Money[]; notes: readonly (string | null)[] }) {
  const { name, amounts, notes } = props;
  return (
    <div className={styles['tile']}>
      <dt>{name}</dt>
      <dd>
        {amounts.length === 0 && <span className={styles['value']}>{words.nothing}</span>}
        {amounts.map((money) => (
          <span key={money.currency} className={styles['value']}>
            {formatMoney(money)}
          </span>
        ))}
        {notes.filter(Boolean).map((note) => (
          <span key={note} className={styles['note']}>
            {note}
          </span>
        ))}
      </dd>
    </div>
  );
}

const hasFaxes = ({ known, unknown }: Sums) => known + unknown > 0;

function attemptsOf({ known, unknown }: Sums): string | null {
  if (known > 0) return words.attempts(formatCount(known));
  return unknown === 0 ? words.noAttempts : null;
}

const unknownOf = ({ unknown }: Sums) => (unknown === 0 ? null : words.andUnknown(formatCount(unknown)));

function byDayOf(sumsBefore: Costs, byToday: Costs | undefined): string | null {
  if (!byToday || byToday.to >= sumsBefore.to || sumsBefore.all.amounts.length === 0) return null;
  if (!byToday.from.startsWith(sumsBefore.from.slice(0, 7))) return null;
  const { amounts } = byToday.all;
  const list = new Intl.ListFormat(navigator.language).format(amounts.map(formatMoney));
  return words.byDay(amounts.length === 0 ? words.noAmount : list, dayName(byToday.to));
}
