import type { ReactNode } from 'react';
import { sentenceOf } from '../../api/sentence.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './entries.module.css';

/** One of a list of things that are set up: its name and state, its facts and what can be done, and what failed last. */
export function Entry(props: { name: string; state: ReactNode; error: unknown; children: ReactNode }) {
  const { name, state, error, children } = props;
  return (
    <li className={styles['entry']} aria-label={name}>
      <div className={styles['line']}>
        <p className={styles['name']}>{name}</p>
        {state}
      </div>
      {children}
      {error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(error)}
        </Notice>
      )}
    </li>
  );
}
