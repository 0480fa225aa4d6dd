import { pictures } from 'virtual:help-pages';
import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './help.module.css';
import { OpenHelpPlace } from './help-links.ts';
import type { HelpBlock, HelpInline, HelpPage } from './help-page.ts';

/** The last page that was shown, so that the keyboard moves only when another one is chosen. */
let shownBefore: string | null = null;

/** Shows a page. The keyboard, and with it a screen reader, goes to the heading that was chosen. */
export function HelpArticle({ page }: { page: HelpPage }) {
  const article = useRef<HTMLElement>(null);
  const part = useLocation({ select: ({ hash }) => hash });
  useEffect(() => {
    const place = `${page.id}#${part}`;
    const isFirst = shownBefore === null;
    const isOther = shownBefore !== place;
    shownBefore = place;
    const target = part === '' ? null : article.current?.querySelector(`#${CSS.escape(part)}`);
    const heading = target ?? article.current?.querySelector('h2');
    if (!(heading instanceof HTMLElement)) return;
    if (target) target.scrollIntoView();
    if (isOther && !(isFirst && part === '')) heading.focus({ preventScroll: true });
  }, [page.id, part]);
  useEffect(() => () => void (shownBefore = null), []);
  return (
    <article ref={article} className={styles['article']} id="help-article" data-keeps-focus>
      <h2 tabIndex={-1} className={styles['title']}>
        {page.title}
      </h2>
      <Blocks of={page.blocks} />
    </article>
  );
}

/** Shows a page in a dialog, with the keyboard on the heading that was chosen. */
export function PlacedArticle({ page, part }: { page: HelpPage; part: string | null }) {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    const target = part === null ? null : article.current?.querySelector(`#${CSS.escape(part)}`);
    const heading = target ?? article.current?.querySelector('h2');
    if (!(heading instanceof HTMLElement)) return;
    heading.scrollIntoView();
    heading.focus({ preventScroll: true });
  }, [part]);
  return (
    <article ref={article} className={styles['article']}>
      <h2 tabIndex={-1} className={styles['title']}>
        {page.title}
      </h2>
      <Blocks of={page.blocks} />
    </article>
  );
}

function Blocks({ of }: { of: readonly HelpBlock[] }): ReactNode {
  return of.map((block, at) => <Block key={at} block={block} />);
}

function Block({ block }: { block: HelpBlock }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${block.level + 1}` as 'h3' | 'h4' | 'h5';
      return (
        <Heading id={block.id} tabIndex={-1} className={styles['part']} data-level={block.level}>
          <Inlines of={block.of} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Inlines of={block.of} />
        </p>
      );
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul';
      return (
        <List className={styles['list']} data-ordered={block.isOrdered || undefined}>
          {block.items.map((item, at) => (
            <li key={at}>
              <Blocks of={item} />
            </li>
          ))}
        </List>
      );
    }
    case 'table':
      return <Table head={block.head} rows={block.rows} />;
    case 'code':
      return <pre className={styles['code']}>{block.text}</pre>;
    case 'quote':
      return (
        <blockquote className={styles['quote']}>
          <Blocks of={block.of} />
        </blockquote>
      );
    case 'picture':
      return <img className={styles['picture']} src={pictures[block.name]} alt={block.description} />;
  }
}

function Table({ head, rows }: Pick<Extract<HelpBlock, { kind: 'table' }>, 'head' | 'rows'>) {
  const hasHead = head.some((cell) => cell.length > 0);
  return (
    <div className={styles['scroll']}>
      <table className={styles['table']}>
        {hasHead && (
          <thead>
            <tr>
              {head.map((cell, at) =>
                cell.length > 0 ? (
                  <th key={at} scope="col">
                    <Inlines of={cell} />
                  </th>
                ) : (
                  <td key={at} />
                ),
              )}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>
                  <Inlines of={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Inlines({ of }: { of: readonly HelpInline[] }): ReactNode {
  return of.map((part, at) => (typeof part === 'string' ? part : <Inline key={at} part={part} />));
}

function Inline({ part }: { part: Exclude<HelpInline, string> }) {
  switch (part.kind) {
    case 'code':
      return <code>{part.text}</code>;
    case 'strong':
      return (
        <strong>
          <Inlines of={part.of} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Inlines of={part.of} />
        </em>
      );
    case 'link':
      return <HelpTextLink part={part} />;
  }
}

function HelpTextLink({ part: { page, part, of } }: { part: Extract<HelpInline, { kind: 'link' }> }) {
  const open = useContext(OpenHelpPlace);
  if (open !== null)
    return (
      <Button variant="link" onPress={() => open({ page, part })}>
        <Inlines of={of} />
      </Button>
    );
  return (
    <Link to="/help/{-$helpPage}" params={{ helpPage: page }} {...(part === null ? {} : { hash: part })}>
      <Inlines of={of} />
    </Link>
  );
}
