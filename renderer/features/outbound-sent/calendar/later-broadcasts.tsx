import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Broadcast, broadcasts } from '../../../api/broadcasts.ts';
import { t } from '../../../texts/sent.ts';
import { formatCount, formatMomentIn } from '../../../ui/format.ts';
import styles from './calendar.module.css';

const words = t.sent.calendar;

/** Broadcasts that are named; a link leads to the others. */
const MOST = 5;
const MINUTE = 60_000;

type Scheduled = Broadcast & { readonly send_at: string };
const isScheduled = (broadcast: Broadcast): broadcast is Scheduled => broadcast.send_at !== null;

/** Names the broadcasts that have not begun, the next one first: their faxes are made only when they begin. */
export function LaterBroadcasts({ timeZone }: { timeZone: string }) {
  const later = useQuery({
    queryKey: ['broadcasts', 'later'],
    queryFn: ({ signal }) => broadcasts.listBroadcasts({ query: { scheduled: 'true', limit: 200 }, signal }),
    refetchInterval: MINUTE,
    refetchOnMount: 'always',
  });
  const items = (later.data?.items ?? [])
    .filter(isScheduled)
    .toSorted((a, b) => Date.parse(a.send_at) - Date.parse(b.send_at));
  if (items.length === 0) return null;
  return (
    <section className={styles['broadcasts']}>
      <h2>{words.broadcasts}</h2>
      <ul>
        {items.slice(0, MOST).map(({ id, name, send_at, recipients }) => (
          <li key={id}>
            <Link to="/sent/broadcasts/{-$broadcastId}" params={{ broadcastId: id }}>
              {name}
            </Link>{' '}
            <span className={styles['begins']}>
              {words.begins(formatMomentIn(send_at, timeZone), formatCount(recipients), recipients === 1)}
            </span>
          </li>
        ))}
      </ul>
      {items.length > MOST && <Link to="/sent/broadcasts/{-$broadcastId}">{words.moreBroadcasts}</Link>}
    </section>
  );
}
