import { useId } from 'react';
import type { Statistics } from '../../api/work-statistics.ts';
import { t } from '../../texts/work-statistics.ts';
import { formatCount, formatDuration } from '../../ui/format.ts';
import styles from './statistics.module.css';

const words = t.workStatistics;

const MET = ['in_time', 'late', 'awaited', 'without_target'] as const;
type Met = (typeof MET)[number];

type FigureRow = Omit<Statistics['people'][number], 'principal_id' | 'name'> & {
  readonly [name in 'awaited' | 'without_target' | 'received']?: number;
} & { readonly id: string; readonly name: string };

/** A line for each mailbox or person: a bar to compare them at a glance, and the numbers it is drawn of. */
export function FigureTable(props: {
  title: string;
  head: string;
  sentence?: string;
  rows: readonly FigureRow[];
}) {
  const { title, head, sentence, rows } = props;
  const heading = useId();
  // Figures of documents alone have no column in the table of people.
  const met = MET.filter((name) => rows.some((row) => row[name] !== undefined));
  const longest = Math.max(1, ...rows.map((row) => sumOf(row, met)));
  return (
    <section className={styles['part']} aria-labelledby={heading}>
      <h2 id={heading} className={styles['heading']}>
        {title}
      </h2>
      {sentence !== undefined && <p className={styles['quiet']}>{sentence}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by the keyboard. */}
      <div className={styles['scroll']} role="group" aria-labelledby={heading} tabIndex={0}>
        <table className={styles['table']} aria-labelledby={heading}>
          <thead>
            <Head head={head} met={met} />
          </thead>
          <tbody>
            {rows.map((row) => (
              <Line key={row.id} row={row} met={met} longest={longest} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const COLUMNS = [
  words.acknowledged,
  words.toAcknowledge,
  words.done,
  words.toDone,
  words.openNow,
  words.overdueNow,
];

function Head({ head, met }: { head: string; met: readonly Met[] }) {
  return (
    <tr>
      <th scope="col">{head}</th>
      <td aria-hidden="true" />
      {met.map((name) => (
        <th key={name} scope="col" data-met={name}>
          {words.met[name]}
        </th>
      ))}
      {COLUMNS.map((name) => (
        <th key={name} scope="col">
          {name}
        </th>
      ))}
    </tr>
  );
}

function Line({ row, met, longest }: { row: FigureRow; met: readonly Met[]; longest: number }) {
  return (
    <tr>
      <th scope="row">{row.name}</th>
      <td aria-hidden="true" className={styles['bar']}>
        <Bar row={row} met={met} longest={longest} />
      </td>
      {met.map((name) => (
        <td key={name}>{formatCount(row[name] ?? 0)}</td>
      ))}
      <td>{formatCount(row.acknowledged)}</td>
      <td>{timeOf(row.median_acknowledge_seconds)}</td>
      <td>{formatCount(row.done)}</td>
      <td>{timeOf(row.median_done_seconds)}</td>
      <td>{formatCount(row.open_now)}</td>
      <td>{formatCount(row.overdue_now)}</td>
    </tr>
  );
}

/** In time, late and the rest one after another, as long as there are many of them. */
function Bar({ row, met, longest }: { row: FigureRow; met: readonly Met[]; longest: number }) {
  let at = 0;
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" focusable="false">
      <title>{row.name}</title>
      {met.map((name) => {
        const width = ((row[name] ?? 0) / longest) * 100;
        const x = at;
        at += width;
        return width > 0 && <rect key={name} data-met={name} x={x} y={0} width={width} height={10} />;
      })}
    </svg>
  );
}

const sumOf = (row: FigureRow, met: readonly Met[]) => met.reduce((sum, name) => sum + (row[name] ?? 0), 0);

/** Half of them took at most so long. */
export const timeOf = (seconds: number | null) => (seconds === null ? words.none : formatDuration(seconds));
