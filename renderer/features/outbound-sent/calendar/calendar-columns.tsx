import { useMemo } from 'react';
import { useMe } from '../../../api/queries.ts';
import { aboutLine } from '../../../parts/about/about-words.ts';
import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/sent.ts';
import { formatCount, formatMomentIn, formatTimeIn, usePhoneFormat } from '../../../ui/format.ts';
import { PersonMark } from '../../../ui/person.tsx';
import styles from './calendar.module.css';
import { dayName } from './days.ts';
import type { WaitingFax } from './use-calendar.ts';

const words = t.sent.calendar;

/** Returns the columns of the calendar; `today` is the first day of it. */
export function useCalendarColumns(today: string): readonly Column<WaitingFax>[] {
  const meId = useMe()?.principal.id ?? '';
  const phone = usePhoneFormat();
  return useMemo(
    () => [timeColumn(today), toColumn(phone), ABOUT, LATEST, byColumn(meId)],
    [today, meId, phone],
  );
}

const timeColumn = (today: string): Column<WaitingFax> => ({
  id: 'time',
  head: words.columns.time,
  title: ({ waits }) => words.waits[waits],
  cell: ({ leaves_at, timeZone, waits, day }) => (
    <>
      <span className="visually-hidden">{dayName(day.date, today)} </span>
      <span className={styles['time']}>{formatTimeIn(leaves_at, timeZone)}</span>
      {waits !== 'time' && <span className={styles['note']}>{words.waits[waits]}</span>}
    </>
  ),
});

const toColumn = (phone: (number: string) => string): Column<WaitingFax> => {
  const whom = ({ contact, to }: WaitingFax) => (contact === null ? phone(to) : `${contact}, ${phone(to)}`);
  return {
    id: 'to',
    head: words.columns.to,
    title: whom,
    cell: (fax) => (
      <>
        {whom(fax)}
        {fax.others > 0 && (
          <span className={styles['note']}>{words.others(formatCount(fax.others), fax.others === 1)}</span>
        )}
      </>
    ),
  };
};

const aboutOf = (fax: WaitingFax) => aboutLine(fax) ?? fax.file_name;

const ABOUT: Column<WaitingFax> = {
  id: 'about',
  head: words.columns.about,
  isQuiet: true,
  title: aboutOf,
  cell: aboutOf,
};

const LATEST: Column<WaitingFax> = {
  id: 'latest',
  head: words.columns.latest,
  isQuiet: true,
  isEnd: true,
  room: 'medium',
  cell: ({ send_by, timeZone }) =>
    send_by === null ? (
      <span className={styles['faint']}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{words.noLatest}</span>
      </span>
    ) : (
      formatMomentIn(send_by, timeZone)
    ),
};

const byColumn = (meId: string): Column<WaitingFax> => ({
  id: 'by',
  head: words.columns.by,
  room: 'wide',
  cell: ({ created_by: { id, name } }) => <PersonMark name={name} isMe={id === meId} />,
});
