import type { ReactNode } from 'react';
import type { Statistics } from '../../api/work-statistics.ts';
import { t } from '../../texts/work-statistics.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, formatShare } from '../../ui/format.ts';
import { FigureTable, timeOf } from './figure-table.tsx';
import styles from './statistics.module.css';

const words = t.workStatistics;

/** The figures of everything, then those of each mailbox and person. */
export function Figures({ statistics }: { statistics: Statistics }) {
  const { all, mailboxes, people } = statistics;
  return (
    <div className={styles['column']}>
      <dl className={styles['tiles']} aria-label={words.summary}>
        <Tile name={words.inTime} value={shareOf(all)} sentence={shareSentence(all)} />
        <Tile
          name={words.toAcknowledge}
          value={timeOf(all.median_acknowledge_seconds)}
          sentence={medianSentence(all.acknowledged)}
        />
        <Tile
          name={words.toDone}
          value={timeOf(all.median_done_seconds)}
          sentence={medianSentence(all.done)}
        />
        <Tile name={words.received} value={formatCount(all.received)} sentence={words.receivedSentence} />
        <Tile
          name={words.openNow}
          value={formatCount(all.open_now)}
          sentence={
            all.overdue_now === 0
              ? words.noneOverdue
              : words.openSentence(formatCount(all.overdue_now), all.overdue_now === 1)
          }
        />
      </dl>
      {mailboxes.length + people.length === 0 ? (
        <EmptyState icon="report" title={words.empty}>
          {words.emptySentence}
        </EmptyState>
      ) : (
        <>
          <FigureTable
            title={words.byMailbox}
            head={words.mailbox}
            rows={mailboxes.map((row) => ({
              ...row,
              id: row.mailbox_id ?? '',
              name: row.label ?? words.noMailbox,
            }))}
          />
          <FigureTable
            title={words.byPerson}
            head={words.person}
            sentence={words.personSentence}
            rows={people.map((row) => ({
              ...row,
              id: row.principal_id ?? '',
              name: row.name ?? words.noOwner,
            }))}
          />
        </>
      )}
    </div>
  );
}

function Tile({ name, value, sentence }: { name: string; value: ReactNode; sentence: string }) {
  return (
    <div className={styles['tile']}>
      <dt>{name}</dt>
      <dd>
        <span className={styles['value']}>{value}</span>
        <span className={styles['note']}>{sentence}</span>
      </dd>
    </div>
  );
}

const medianSentence = (count: number) => (count === 0 ? words.noneYet : words.median);

type Met = { readonly in_time: number; readonly late: number };

function shareOf({ in_time, late }: Met): string {
  if (in_time + late === 0) return words.none;
  return formatShare(in_time / (in_time + late));
}

function shareSentence({ in_time, late }: Met): string {
  if (in_time + late === 0) return words.nothingDue;
  return words.inTimeOf(formatCount(in_time), formatCount(in_time + late));
}
