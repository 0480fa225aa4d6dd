import { Link } from '@tanstack/react-router';
import { t } from '../../texts/help.ts';
import { PaneBody } from '../../ui/pane.tsx';
import styles from './help.module.css';
import { HELP_GROUPS } from './help-page.ts';
import { pages } from './help-pages.ts';

const words = t.help;

/** Lists the pages by group. */
export function HelpPages({ current }: { current: string | null }) {
  return (
    <PaneBody>
      <nav className={styles['nav']} aria-label={words.pages} data-keeps-focus>
        {HELP_GROUPS.map((group) => (
          <section key={group}>
            <h2 className={styles['group']}>{words.groups[group]}</h2>
            <ul>
              {pages
                .filter((page) => page.group === group)
                .map(({ id, title }) => (
                  <li key={id}>
                    <Link
                      to="/help/{-$helpPage}"
                      params={{ helpPage: id }}
                      className={styles['link']}
                      {...(id === current ? { 'aria-current': 'page' as const } : {})}
                    >
                      {title}
                    </Link>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </nav>
    </PaneBody>
  );
}
