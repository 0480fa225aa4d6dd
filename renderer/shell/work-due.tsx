import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { DesktopBridge } from '../../shared/desktop.ts';
import { refetchMyWork, useMyOpenWork } from '../api/my-work.ts';
import { t } from '../texts/index.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { formatTime } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { isDue, isDueSoon, nextCheckDelay, type WorkItem } from './due-soon.ts';
import styles from './shell.module.css';

/** The numbers beside Work cover the others. */
const MAX_NOTICES = 2;
/** A computer that slept comes back with timers that are late. */
const MAX_DELAY_MS = 60_000;

/** Items the desktop notified the person of, and those the person dismissed: each is shown once. */
const notified = new Set<string>();
const dismissed = new Set<string>();
const noticeKey = ({ id, owner }: WorkItem) => `${owner?.id} ${id}`;
const NONE: readonly WorkItem[] = [];

/** Tells a person on every screen, and outside the window, that an item of theirs falls overdue soon. */
export function WorkDue() {
  const items = useMyOpenWork() ?? NONE;
  const now = useDueClock(items);
  const [, setDismissals] = useState(0);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const soon = items.filter((item) => isDueSoon(item, now));
  useEffect(() => {
    const bridge = window.faxdesk;
    if (bridge) for (const item of soon) void notifyOf(bridge, item).catch(() => undefined);
  });
  return soon
    .filter((item) => !dismissed.has(noticeKey(item)) && !path.endsWith(`/${item.id}`))
    .slice(0, MAX_NOTICES)
    .map((item) => (
      <DueNotice
        key={item.id}
        item={item}
        onDismiss={() => {
          dismissed.add(noticeKey(item));
          setDismissals((before) => before + 1);
        }}
      />
    ));
}

/**
 * Returns the number of the person's open items, undefined while they load and without the permission, and the number
 * that is overdue or soon will be.
 */
export function useMyWorkCounts(): { readonly open: number | undefined; readonly due: number } {
  const items = useMyOpenWork();
  const now = useDueClock(items ?? NONE);
  return { open: items?.length, due: items?.filter((item) => isDue(item, now)).length ?? 0 };
}

function DueNotice({ item, onDismiss }: { item: WorkItem; onDismiss: () => void }) {
  const router = useRouter();
  const show = () => router.history.push(`${router.basepath}/work/${item.id}`);
  return (
    <div className={styles['notice']}>
      <Notice
        tone="warn"
        isLive
        title={t.shell.dueAt(formatTime(item.due_at ?? ''))}
        action={<IconButton icon="close" label={t.shell.dismiss} onPress={onDismiss} />}
      >
        <Button variant="link" onPress={show}>
          {t.shell.showItem}
        </Button>
      </Notice>
    </div>
  );
}

/** Neither sender nor content: others may see the screen. */
async function notifyOf(bridge: DesktopBridge, item: WorkItem): Promise<void> {
  const { id, due_at } = item;
  if (due_at === null || notified.has(noticeKey(item))) return;
  notified.add(noticeKey(item));
  if (await bridge.isInFront()) return;
  const body = t.shell.dueBody(formatTime(due_at));
  await bridge.showNotice({ title: t.shell.dueTitle, body, open: `/work/${id}` });
}

/** The time, as often as something about the items changes with it. */
function useDueClock(items: readonly WorkItem[]): number {
  const [now, setNow] = useState(() => Date.now());
  // New items are compared with the time of their arrival.
  useEffect(() => setNow(Date.now()), [items]);
  const wait = nextCheckDelay(items, now);
  useEffect(() => {
    if (wait === null) return;
    const refresh = () => {
      setNow(Date.now());
      // Only the gateway has the answer whether a due time that passed was met.
      if (items.some(({ due_at }) => due_at !== null && isBetween(due_at, now, Date.now()))) refetchMyWork();
    };
    const timer = setTimeout(refresh, Math.min(wait, MAX_DELAY_MS));
    return () => clearTimeout(timer);
  }, [wait, items, now]);
  return now;
}

const isBetween = (iso: string, from: number, to: number) => Date.parse(iso) > from && Date.parse(iso) <= to;
