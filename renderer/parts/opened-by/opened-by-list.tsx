import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { openedByQuery } from '../../api/audit.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatFully, formatTime, formatWhen } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './opened-by.module.css';

type Read = Awaited<ReturnType<NonNullable<ReturnType<typeof openedByQuery>['queryFn']>>>['items'][number];

const words = t.fax.openedBy;

/** Each with person, what they did, how often, and when within the hour. */
export function OpenedByList({ faxId }: { faxId: string }) {
  const reads = useQuery(openedByQuery(faxId));
  const start = useRef<HTMLDivElement>(null);
  const isHere = reads.data !== undefined;
  // The button that had the focus has gone.
  useEffect(() => {
    if (isHere) start.current?.focus();
  }, [isHere]);
  if (reads.error)
    return (
      <Notice
        tone="warn"
        isLive
        title={words.broke}
        action={<Button onPress={() => void reads.refetch()}>{t.ui.tryAgain}</Button>}
      >
        {sentenceOf(reads.error)}
      </Notice>
    );
  if (!reads.data) return <p role="status">{t.ui.loading}</p>;
  const { items } = reads.data;
  return (
    <div ref={start} tabIndex={-1} className={styles['reads']}>
      {items.length === 0 ? (
        <p className={styles['quiet']}>{words.none}</p>
      ) : (
        <ul className={styles['list']}>
          {items.map((read) => (
            <li key={read.id}>
              <b className={styles['who']}>{read.actor.name}</b>
              <time dateTime={read.at} title={spanOf(read, formatFully)}>
                {formatWhen(read.last_at)}
              </time>
              <span className={styles['what']}>{whatOf(read)}</span>
            </li>
          ))}
        </ul>
      )}
      <Link to="/access/{-$part}/{-$id}" params={{ part: 'audit', id: undefined }} search={{ of: faxId }}>
        {words.all}
      </Link>
    </div>
  );
}

/** `Opened 51 times, 10:06 to 10:40` */
function whatOf(read: Read): string {
  const { operation, details, count, credential_kind } = read;
  const done = words.done[operation] ?? operation;
  const what = details['document'] === 'transmission report' ? words.report(done) : done;
  const often = count === 1 ? what : words.times(what, formatCount(count), spanOf(read, formatTime));
  return credential_kind === 'key' ? words.withKey(often) : often;
}

function spanOf({ at, last_at }: Read, format: (iso: string) => string): string {
  const [first, last] = [format(at), format(last_at)];
  return first === last ? first : words.span(first, last);
}
