import { Link } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { t } from '../../texts/help.ts';
import { formatCount } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { PaneBody } from '../../ui/pane.tsx';
import styles from './help.module.css';
import { pages } from './help-pages.ts';
import { createHelpSearch, type HelpResult, MOST_RESULTS } from './help-search.ts';

const words = t.help;
/** After the last letter, so that a screen reader is not interrupted by every one. */
const PAUSE_MS = 600;

let search: ReturnType<typeof createHelpSearch> | null = null;

/** Lists the results, best first, and announces their number. */
export function HelpResults({ query }: { query: string }) {
  const sought = useDeferredValue(query);
  const results = useMemo(() => {
    search ??= createHelpSearch(pages);
    return search(sought);
  }, [sought]);
  const sentence = countSentence(results.length, sought.trim());
  useEffect(() => {
    const timer = setTimeout(() => announce(sentence), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [sentence]);
  return (
    <PaneBody>
      <nav className={styles['nav']} aria-label={words.results} data-keeps-focus>
        <p className={styles['count']}>{sentence}</p>
        <ul>
          {results.map((result) => (
            <li key={result.id}>
              <Result result={result} />
            </li>
          ))}
        </ul>
      </nav>
    </PaneBody>
  );
}

function countSentence(count: number, query: string): string {
  if (count === 0) return words.none(query);
  const shown = formatCount(count);
  return count === MOST_RESULTS ? words.foundMore(shown) : words.found(shown, count === 1);
}

function Result({ result }: { result: HelpResult }) {
  const { page, part, title, heading, snippet } = result;
  return (
    <Link
      to="/help/{-$helpPage}"
      params={{ helpPage: page }}
      {...(part === null ? {} : { hash: part })}
      className={styles['result']}
    >
      <span className={styles['heading']}>{heading === '' ? title : heading}</span>
      {heading !== '' && <span className={styles['of']}>{title}</span>}
      <span className={styles['snippet']}>
        {/* The order of the parts is all that tells them apart. */}
        {snippet.map((text, at) => (at % 2 === 1 ? <mark key={at}>{text}</mark> : text))}
      </span>
    </Link>
  );
}
