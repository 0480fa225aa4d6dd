import { useParams, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { placeBeforeHelp } from '../../parts/help-place.ts';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/help.ts';
import { useActions } from '../../ui/actions.tsx';
import { IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import styles from './help.module.css';
import { HelpArticle } from './help-article.tsx';
import { HelpPages } from './help-list.tsx';
import { pages } from './help-pages.ts';
import { HelpResults } from './help-results.tsx';
import { HelpSearch } from './help-search-field.tsx';
import { printArticle } from './print-article.ts';

const words = t.help;
const WIDTH = '304px';
const FIRST_PAGE = 'getting-around';

/** Shows the help pages and searches them; they came with the screen, so it works without a network. */
export function HelpScreen() {
  const { helpPage } = useParams({ strict: false });
  const router = useRouter();
  const [query, setQuery] = useState('');
  const page = pages.find(({ id }) => id === (helpPage ?? FIRST_PAGE));
  useScreenTitle(page ? `${page.title} · ${words.title}` : words.title);
  const close = () => router.history.push(placeBeforeHelp() ?? `${router.basepath}/`);
  useActions(words.title, [
    { id: 'print-help', label: words.print, icon: 'print', keys: 'mod+p', run: printArticle },
    { id: 'close-help', label: words.close, icon: 'close', keys: 'escape', run: close },
  ]);
  return (
    <>
      <Pane label={words.title} width={WIDTH}>
        <PaneHead title={words.title} level={1} />
        <HelpSearch query={query} onChange={setQuery} onClose={close} />
        {query.trim() === '' ? <HelpPages current={page?.id ?? null} /> : <HelpResults query={query} />}
      </Pane>
      <Pane label={words.thisPage}>
        <div className={styles['bar']}>
          <span className={styles['of']}>{page && words.groups[page.group]}</span>
          <IconButton icon="print" label={words.print} onPress={printArticle} isDisabled={!page} />
          <IconButton icon="close" label={words.close} onPress={close} />
        </div>
        {page ? (
          <PaneBody key={page.id} isPadded label={page.title}>
            <HelpArticle page={page} />
          </PaneBody>
        ) : (
          <EmptyState icon="question" title={words.gone}>
            {words.goneSentence}
          </EmptyState>
        )}
      </Pane>
    </>
  );
}
