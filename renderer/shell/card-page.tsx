import type { ReactNode } from 'react';
import { HelpLink } from '../parts/help/help-link.tsx';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './card-page.module.css';

/** The page in front of the screens: one small form in the middle. */
export function CardPage({
  title,
  sentence,
  helpPage = 'your-settings',
  children,
}: {
  title: string;
  sentence?: string;
  /** Its help page. */
  helpPage?: string;
  children: ReactNode;
}) {
  return (
    <main className={styles['page']}>
      <section className={styles['card']} aria-label={title}>
        <p className={styles['brand']}>
          <Icon name="mark" />
          {t.shell.product}
        </p>
        <div>
          <h1 className={styles['title']}>{title}</h1>
          {sentence && <p className={styles['sentence']}>{sentence}</p>}
        </div>
        {children}
        <HelpLink page={helpPage} />
      </section>
    </main>
  );
}
