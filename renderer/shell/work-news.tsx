import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { DesktopBridge } from '../../shared/desktop.ts';
import type { Me } from '../api/queries.ts';
import { t } from '../texts/index.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { dismissNews, useFollowMyWork, useWorkNews, type WorkNews } from './my-work-news.ts';
import styles from './shell.module.css';

/** The numbers beside Work cover the others. */
const MAX_NOTICES = 2;
/** Desktop notices of one moment; more are one. */
const MAX_SINGLE = 3;

/**
 * Tells a person on every screen, and outside the window, that a fax became theirs, was taken from them or is overdue,
 * unless it is the one before them.
 */
export function WorkNewsNotices({ me }: { me: Me }) {
  useFollowMyWork(me.principal.id);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const news = useWorkNews();
  const isOpen = ({ itemId, faxId }: WorkNews) => path.endsWith(`/${itemId}`) || path.endsWith(`/${faxId}`);
  const open = news.find(isOpen)?.itemId;
  useEffect(() => {
    if (open !== undefined) dismissNews(open);
  }, [open]);
  const others = news.filter((one) => !isOpen(one));
  useDesktopNotices(others);
  return others.slice(-MAX_NOTICES).map((one) => <NewsNotice key={`${one.kind} ${one.itemId}`} news={one} />);
}

function NewsNotice({ news }: { news: WorkNews }) {
  const router = useRouter();
  const dismiss = () => dismissNews(news.itemId);
  const show = () => {
    dismiss();
    router.history.push(router.basepath + pathOf(news));
  };
  return (
    <div className={styles['notice']}>
      <Notice
        tone={news.kind === 'overdue' ? 'warn' : 'go'}
        icon={news.kind === 'overdue' ? 'late' : 'person'}
        isLive
        title={sentenceOf(news)}
        action={<IconButton icon="close" label={t.shell.dismiss} onPress={dismiss} />}
      >
        <Button variant="link" onPress={show}>
          {t.shell.showItem}
        </Button>
      </Notice>
    </div>
  );
}

const pathOf = ({ itemId }: WorkNews) => `/work/${itemId}`;

function sentenceOf({ kind, by, owner }: WorkNews): string {
  const words = t.shell.workNews;
  if (kind === 'overdue') return words.overdue;
  if (kind === 'mine') return words.mine(by ?? '');
  return owner === null ? words.takenForNobody(by ?? '') : words.taken(by ?? '', owner);
}

/** Shows each of the news once outside the window, while the person does not look at it. */
function useDesktopNotices(news: readonly WorkNews[]): void {
  const shown = useRef(new Set<WorkNews>());
  useEffect(() => {
    const bridge = window.faxdesk;
    const fresh = news.filter((one) => !shown.current.has(one));
    shown.current = new Set(news);
    if (bridge && fresh.length > 0) void notifyOf(bridge, fresh).catch(() => undefined);
  }, [news]);
}

/** Neither sender nor content: others may see the screen. */
async function notifyOf(bridge: DesktopBridge, news: readonly WorkNews[]): Promise<void> {
  if (await bridge.isInFront()) return;
  const words = t.shell.workNews;
  if (news.length > MAX_SINGLE)
    return bridge.showNotice({
      title: words.manyTitle,
      body: words.many(formatCount(news.length)),
      open: '/work',
    });
  for (const one of news)
    await bridge.showNotice({ title: words.titles[one.kind], body: sentenceOf(one), open: pathOf(one) });
}
