import { Link } from '@tanstack/react-router';
import { useInboundCounts } from '../api/inbound.ts';
import { useInstallation, usePermission } from '../api/queries.ts';
import { t } from '../texts/index.ts';
import { formatCount } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './rail.module.css';
import type { Screen } from './screens.ts';

export function Rail({ screens }: { screens: readonly Screen[] }) {
  const parts = (['daily', 'house'] as const).map((part) => screens.filter((screen) => screen.part === part));
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
                <Link to={screen.path} className={styles['link']} activeProps={{ 'aria-current': 'page' }}>
                  <Icon name={screen.icon} />
                  <span>{screen.name}</span>
                  {screen.path === '/inbox/{-$faxId}' && <Unread />}
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
  const count = formatCount(unread);
  return (
    <span className={styles['badge']}>
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{t.shell.unread(count)}</span>
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
