import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { describeEdits } from '../../../shared/page-edits.ts';
import {
  type Broadcast,
  broadcastQuery,
  broadcasts,
  type Recipient,
  recipientsQuery,
} from '../../api/broadcasts.ts';
import { openedAddress } from '../../api/page-token.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/broadcasts.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { formatCount, formatDayAndTime } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { usePhoneFormat } from '../../ui/phone-reader.ts';
import { StateWord, type Tone } from '../../ui/state-word.tsx';
import styles from './broadcasts.module.css';

const words = t.broadcasts;
/** Recipients that are read on at once. */
const MORE = 100;
/** No event is published when its time comes. */
const SCHEDULED_MS = 30_000;

const SIGNS: Readonly<Record<Recipient['state'], readonly [Tone, IconName]>> = {
  waiting: ['plain', 'clock'],
  queued: ['plain', 'clock'],
  held: ['warn', 'pause'],
  sending: ['go', 'going'],
  delivered: ['ok', 'ok'],
  failed: ['danger', 'alert'],
  unconfirmed: ['warn', 'question'],
  cancelled: ['plain', 'close'],
  refused: ['plain', 'close'],
};
const STATES = Object.keys(SIGNS) as Recipient['state'][];

/** Shows the progress of a broadcast with its actions. One that was sent just now has the focus. */
export function BroadcastProgress({ id, isJustSent }: { id: string; isJustSent: boolean }) {
  const read = useQuery({
    ...broadcastQuery(id),
    refetchInterval: ({ state: { data } }) => data?.state === 'scheduled' && SCHEDULED_MS,
  });
  const broadcast = read.data;
  const body = useFocusOfSent(isJustSent, broadcast);
  const title = broadcast?.name ?? words.progress;
  return (
    <Pane label={words.progress}>
      <PaneHead title={title} />
      <PaneBody isPadded label={words.progress} ref={body}>
        <LoadProblem of={read} />
        {broadcast && (
          <div className={styles['part']}>
            <Counts broadcast={broadcast} />
            <Acts broadcast={broadcast} />
            <Recipients broadcast={broadcast} />
          </div>
        )}
      </PaneBody>
    </Pane>
  );
}

/** Puts the focus on the progress of a broadcast that was sent just now, and says it to screen readers. */
function useFocusOfSent(isJustSent: boolean, broadcast: Broadcast | undefined) {
  const body = useRef<HTMLDivElement>(null);
  const isSaid = useRef(false);
  useEffect(() => {
    if (isJustSent) body.current?.focus();
  }, [isJustSent]);
  useEffect(() => {
    if (!isJustSent || isSaid.current || !broadcast) return;
    isSaid.current = true;
    announce(`${broadcast.name}: ${statusOf(broadcast)}`);
  }, [isJustSent, broadcast]);
  return body;
}

function statusOf({ state, recipients, send_at }: Broadcast): string {
  const status = `${words.states[state]}, ${words.people(formatCount(recipients), recipients === 1)}`;
  if (state !== 'scheduled' || send_at === null) return status;
  return `${status}, ${words.startsAt(formatDayAndTime(send_at))}`;
}

function Counts({ broadcast }: { broadcast: Broadcast }) {
  const { counts, send_by, paused_reason, document, edits, page_form, cover, opt_out_line } = broadcast;
  return (
    <>
      <p role="status">{statusOf(broadcast)}</p>
      <p className={styles['quiet']}>{document.file_name}</p>
      {edits !== null && <p className={styles['quiet']}>{words.pagesChanged(describeEdits(edits))}</p>}
      {page_form !== 'automatic' && <p className={styles['quiet']}>{words.pageForms[page_form]}</p>}
      {cover !== null && <p className={styles['quiet']}>{words.coverPage(cover.name)}</p>}
      {send_by !== null && <p className={styles['quiet']}>{words.latest(formatDayAndTime(send_by))}</p>}
      {opt_out_line !== null && <p className={styles['quiet']}>{words.optOutLine(opt_out_line)}</p>}
      {paused_reason !== null && <Notice tone="warn">{paused_reason}</Notice>}
      <ul className={styles['counts']} aria-label={words.progress}>
        {STATES.filter((each) => counts[each] > 0).map((each) => (
          <li key={each}>
            <StateWord tone={SIGNS[each][0]} icon={SIGNS[each][1]}>
              {words.recipientStates[each]}: {formatCount(counts[each])}
            </StateWord>
          </li>
        ))}
      </ul>
    </>
  );
}

type Act = 'pauseBroadcast' | 'continueBroadcast' | 'cancelBroadcast' | 'retryBroadcast';

function Acts({ broadcast: { id, state, counts } }: { broadcast: Broadcast }) {
  const maySend = usePermission('fax:send');
  const [isAsking, setAsking] = useState(false);
  const { run, isRunning, problem } = useAct(id);
  const address = encodeURIComponent(id);
  const hasRest = counts.waiting + counts.queued + counts.held > 0;
  const canPause = (state === 'sending' || state === 'scheduled') && counts.waiting > 0;
  const canRetry = counts.failed > 0 && state !== 'paused';
  return (
    <>
      <div className={styles['buttons']}>
        {maySend && canPause && (
          <Button icon="pause" isDisabled={isRunning} onPress={() => run('pauseBroadcast')}>
            {words.pause}
          </Button>
        )}
        {maySend && state === 'paused' && (
          <Button icon="send" isDisabled={isRunning} onPress={() => run('continueBroadcast')}>
            {words.continue}
          </Button>
        )}
        {maySend && hasRest && state !== 'cancelled' && (
          <Button isDisabled={isRunning} onPress={() => setAsking(true)}>
            {words.cancelRest}
          </Button>
        )}
        {maySend && canRetry && (
          <Button isDisabled={isRunning} onPress={() => run('retryBroadcast')}>
            {words.retry(formatCount(counts.failed), counts.failed === 1)}
          </Button>
        )}
        <DownloadLink href={openedAddress(`/broadcasts/${address}/report`)}>{words.report}</DownloadLink>
        <DownloadLink href={openedAddress(`/broadcasts/${address}/report.csv`)}>{words.csv}</DownloadLink>
      </div>
      {isAsking && (
        <Notice tone="warn" isLive>
          {words.cancelQuestion}
          <div className={styles['buttons']}>
            <Button
              onPress={() => {
                setAsking(false);
                run('cancelBroadcast');
              }}
            >
              {words.cancelYes}
            </Button>
            <Button autoFocus variant="plain" onPress={() => setAsking(false)}>
              {words.cancelNo}
            </Button>
          </div>
        </Notice>
      )}
      {problem !== null && (
        <Notice tone="danger" isLive>
          {problem}
        </Notice>
      )}
    </>
  );
}

function useAct(id: string) {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const queries = useQueryClient();
  const act = async (name: Act) => {
    setProblem(null);
    setRunning(true);
    try {
      await broadcasts[name]({ params: { id } });
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    await queries.invalidateQueries({ queryKey: ['broadcasts'] });
    setRunning(false);
  };
  return { isRunning, problem, run: (name: Act) => void act(name) };
}

function Recipients({ broadcast: { id, updated_at } }: { broadcast: Broadcast }) {
  const [limit, setLimit] = useState(MORE);
  const read = useQuery(recipientsQuery(id, limit));
  const phone = usePhoneFormat();
  return (
    <section aria-label={words.recipients} data-updated={updated_at}>
      <h3>{words.recipients}</h3>
      <LoadProblem of={read} />
      <ol className={styles['recipients']}>
        {read.data?.items.map(({ position, to, name, contact, state, reason, fax_id }) => (
          <li key={position} className={styles['recipient']}>
            <span className={styles['name']}>
              {contact?.name ?? name ?? phone(to)} <span className={styles['quiet']}>{phone(to)}</span>
            </span>
            <StateWord tone={SIGNS[state][0]} icon={SIGNS[state][1]}>
              {words.recipientStates[state]}
            </StateWord>
            {reason !== null && <span className={styles['quiet']}>{reason}</span>}
            {fax_id !== null && (
              <Link
                to="/sent/{-$sentId}"
                params={{ sentId: fax_id }}
                aria-label={words.openFax(contact?.name ?? name ?? phone(to))}
              >
                {words.open}
              </Link>
            )}
          </li>
        ))}
      </ol>
      {read.data?.isWhole === false && (
        <Button onPress={() => setLimit(limit + MORE)}>{words.moreRecipients}</Button>
      )}
    </section>
  );
}
