import { Link, useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { LIMITS } from '../../shared/limits.ts';
import { client } from '../api/client.ts';
import { useInboundCounts } from '../api/inbound.ts';
import { type Change, useChanges } from '../api/live.ts';
import { type Fax, useAttentionCount } from '../api/outbound.ts';
import { sessionMayHaveEnded, usePermission } from '../api/queries.ts';
import { useTitleNotices } from '../parts/window-title.ts';
import { t } from '../texts/index.ts';
import { IconButton } from '../ui/button.tsx';
import { formatUpTo, usePhoneFormat } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './shell.module.css';

/** The number beside Sent covers the others. */
const MAX_NOTICES = 2;
const STATES = ['reconciliation_required', 'failed'] as const;

/**
 * Tells a person on every screen that one of their faxes failed or needs an answer, when it is not the one before them;
 * and puts what waits for them into the title of the window.
 */
export function FaxAttention() {
  const attention = useAttentionCount();
  const unread = useInboundCounts()?.unread ?? 0;
  useTitleNotices(
    attention > 0 ? t.shell.titleAttention(formatUpTo(attention, LIMITS.counted), attention === 1) : '',
    unread > 0 ? t.shell.titleUnread(formatUpTo(unread, LIMITS.receivedCounted)) : '',
  );
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [faxes, dismiss] = useOwnNotices();
  const isOpen = (fax: Fax) => path.endsWith(`/${fax.id}`);
  const open = faxes.find(isOpen)?.id;
  // A person who has opened the fax needs no notice.
  useEffect(() => {
    if (open !== undefined) dismiss(open);
  }, [open, dismiss]);
  return faxes
    .filter((fax) => !isOpen(fax))
    .slice(-MAX_NOTICES)
    .map((fax) => <FaxNotice key={fax.id} fax={fax} onDismiss={() => dismiss(fax.id)} />);
}

function FaxNotice({ fax, onDismiss }: { fax: Fax; onDismiss: () => void }) {
  const phone = usePhoneFormat();
  const words = t.send.notice;
  const hasFailed = fax.delivery_state === 'failed';
  return (
    <div className={styles['notice']}>
      <Notice
        tone={hasFailed ? 'danger' : 'warn'}
        isLive
        title={(hasFailed ? words.failedTo : words.unconfirmedTo)(phone(fax.to))}
        action={<IconButton icon="close" label={t.shell.dismiss} onPress={onDismiss} />}
      >
        <Link to="/sent/{-$sentId}" params={{ sentId: fax.id }}>
          {t.shell.showFax}
        </Link>
      </Notice>
    </div>
  );
}

/** Of these faxes the own ones that need an answer, and those that failed while any of them was not seen. */
async function stateOf(ids: readonly string[]): Promise<readonly Fax[]> {
  const query = { ids: ids.join(), limit: ids.length, created_by: 'me', state: STATES.join() };
  const { items: all } = await client.outbound.listFaxes({ query });
  // Nobody was reached: the question comes back later.
  const items = all.filter(({ ask_again_at }) => ask_again_at === null);
  if (items.every(({ delivery_state }) => delivery_state !== 'failed')) return items;
  const { unseen_failed } = await client.outbound.countFaxes();
  return unseen_failed > 0 ? items : items.filter(({ delivery_state }) => delivery_state !== 'failed');
}

/** Own faxes that failed or became a question while the person was here, and how one is taken away. */
function useOwnNotices(): readonly [readonly Fax[], (id: string) => void] {
  const [faxes, setFaxes] = useState<readonly Fax[]>([]);
  const mayRead = usePermission('fax:read');
  const notified = useRef(new Map<string, number>());
  const waiting = useRef(new Set<string>());
  const isAsking = useRef(false);
  const ask = useCallback(async () => {
    if (isAsking.current) return;
    isAsking.current = true;
    try {
      while (waiting.current.size > 0) {
        const ids = [...waiting.current].slice(0, 100);
        for (const id of ids) waiting.current.delete(id);
        const items = await stateOf(ids);
        // Faxes marked as seen are announced as well, with the version that was notified.
        const fresh = items.filter(
          ({ id, delivery_version }) => notified.current.get(id) !== delivery_version,
        );
        for (const { id, delivery_version } of items) notified.current.set(id, delivery_version);
        const others = (fax: Fax) => items.some(({ id }) => id === fax.id) || !ids.includes(fax.id);
        const isAnew = (fax: Fax) => fresh.some(({ id }) => id === fax.id);
        setFaxes((before) => [...before.filter((fax) => others(fax) && !isAnew(fax)), ...fresh]);
      }
    } catch (error) {
      sessionMayHaveEnded(error);
    }
    isAsking.current = false;
  }, []);
  useChanges(
    useCallback(
      ({ kind, id }: Change) => {
        if (kind !== 'fax.changed' || id === null || !mayRead) return;
        waiting.current.add(id);
        void ask();
      },
      [ask, mayRead],
    ),
  );
  const dismiss = useCallback(
    (id: string) => setFaxes((before) => before.filter((fax) => fax.id !== id)),
    [],
  );
  return [faxes, dismiss];
}
