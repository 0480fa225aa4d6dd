import { Link, useLocation } from '@tanstack/react-router';
import { LIMITS } from '../../shared/limits.ts';
import { useInboundCounts } from '../api/inbound.ts';
import { useAttentionCount } from '../api/outbound.ts';
import { useInstallation, usePermission } from '../api/queries.ts';
import { useWorkCounts } from '../api/work.ts';
import { t } from '../texts/index.ts';
import { formatUpTo } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './rail.module.css';
import { placeOf, useBeginnings, useScreenPlaces } from './screen-places.ts';
import type { Screen } from './screens.ts';

export function Rail({ screens }: { screens: readonly Screen[] }) {
  useScreenPlaces();
  const beginnings = useBeginnings();
  const pathname = useLocation({ select: (location) => location.pathname });
  const parts = (['daily', 'administration'] as const).map((part) =>
    screens.filter((screen) => screen.part === part),
  );
  return (
    <nav className={styles['rail']} aria-label={t.shell.screens}>
      <div className={styles['brand']}>
        <Icon name="mark" />
        <span className={styles['product']}>{t.shell.product}</span>
      </div>
      {parts
        .filter((part) => part.length > 0)
        .map((part) => (
          <ul key={part[0]?.part} className={styles['part']}>
            {part.map((screen) => (
              <li key={screen.path}>
                <Link
                  to={screen.path}
                  {...placeOf(screen, pathname, beginnings)}
                  className={styles['link']}
                  activeProps={{ 'aria-current': 'page' }}
                  activeOptions={{ includeSearch: false }}
                >
                  <Icon name={screen.icon} />
                  <span>{screen.name}</span>
                  {screen.path === '/inbox/{-$receivedId}' && <Unread />}
                  {screen.path === '/work/{-$workId}' && <Work />}
                  {screen.path === '/sent/{-$sentId}' && <Attention />}
                </Link>
              </li>
            ))}
          </ul>
        ))}
      <FinishSetup />
    </nav>
  );
}

/** Beside the Inbox, as long as something in it is unread. */
function Unread() {
  const unread = useInboundCounts()?.unread ?? 0;
  if (unread === 0) return null;
  const count = formatUpTo(unread, LIMITS.receivedCounted);
  return (
    <span className={styles['badge']}>
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{t.shell.unread(count)}</span>
    </span>
  );
}

/** Beside Work: what is overdue, which has a color and a sign of its own, and what this person owns. */
function Work() {
  const { mine = 0, overdue = 0 } = useWorkCounts() ?? {};
  return (
    <>
      {overdue > 0 && (
        <span className={styles['badge']} data-tone="danger">
          <Icon name="late" size={14} />
          <span aria-hidden="true">{countWord(overdue)}</span>
          <span className="visually-hidden">{t.shell.workOverdue(countWord(overdue))}</span>
        </span>
      )}
      {mine > 0 && (
        <span className={styles['badge']} data-second={overdue > 0 || undefined}>
          <span aria-hidden="true">{countWord(mine)}</span>
          <span className="visually-hidden">{t.shell.workMine(countWord(mine))}</span>
        </span>
      )}
    </>
  );
}

const countWord = (count: number) => formatUpTo(count, LIMITS.counted);

/** Beside Sent, as long as a fax of this person needs an answer, or failed without their having seen it. */
function Attention() {
  const faxes = useAttentionCount();
  if (faxes === 0) return null;
  const count = formatUpTo(faxes, LIMITS.counted);
  return (
    <span className={styles['badge']} data-tone="warn">
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{t.shell.attention(count, faxes === 1)}</span>
    </span>
  );
}

/** As long as faxes cannot go out under a name of their own; the test fax may be left out for good. */
function FinishSetup() {
  const setup = useInstallation()?.setup;
  const maySet = usePermission('settings:write');
  if (!maySet || !setup || (setup.provider && setup.header_line)) return null;
  return (
    <Link to="/setup/{-$step}" className={styles['finish']} title={t.shell.finishSentence}>
      <Icon name="flag" />
      <span>{t.shell.finish}</span>
    </Link>
  );
}
