import { ListOpening } from '../../../parts/lists/list-state.tsx';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import { StateWord } from '../../../ui/state-word.tsx';
import { ChangeProblem } from '../changes/change-problem.tsx';
import { addressWords, deviceWords } from '../sessions/device-words.ts';
import { type ListedSession, useEndSession, useSessions } from '../sessions/session-queries.ts';
import styles from './my-sign-in.module.css';

const words = t.access.mine;

/** Shows the person's own sessions, with a button to end those they do not recognize. */
export function MySessions({ meId }: { meId: string }) {
  const sessions = useSessions({ personId: meId, withEnded: false });
  const ending = useEndSession(sessions.policyVersion);
  return (
    <section className={styles['part']} aria-label={words.sessions}>
      <h2 className={styles['title']}>{words.sessions}</h2>
      <p className={styles['quiet']}>{words.sessionsSentence}</p>
      {sessions.isOpening && <ListOpening error={sessions.error} retry={sessions.retry} />}
      <ul className={styles['list']}>
        {sessions.items.map((session) => (
          <li key={session.id} className={styles['session']}>
            <SessionWords session={session} />
            {!session.current && (
              <Button
                aria-label={words.endOf(deviceWords(session.device), addressWords(session.address))}
                isDisabled={ending.isPending}
                onPress={() => ending.run(session.id)}
              >
                {words.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ChangeProblem change={ending} />
      {!sessions.isOpening && !sessions.isWhole && (
        <Button isPending={sessions.isLoadingMore} onPress={() => sessions.loadTo(sessions.items.length)}>
          {words.more}
        </Button>
      )}
    </section>
  );
}

function SessionWords({ session }: { session: ListedSession }) {
  const { device, address, created_at, last_used_at, current } = session;
  return (
    <div className={styles['words']}>
      <p className={styles['name']} title={device}>
        {deviceWords(device)}
        {current && (
          <StateWord tone="ok" icon="current">
            {t.access.session.you}
          </StateWord>
        )}
      </p>
      <p className={styles['meta']}>
        <span>{addressWords(address)}</span>
        <span title={formatFully(created_at)}>{words.since(formatWhen(created_at))}</span>
        <span title={formatFully(last_used_at)}>{words.used(formatWhen(last_used_at))}</span>
      </p>
    </div>
  );
}
