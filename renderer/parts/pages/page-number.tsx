import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import type { Reader } from './reader.ts';
import styles from './zoom.module.css';

/** "3 of 30", which takes the number of a page to go to. Nothing for a single page. */
export function PageNumber(props: { count: number; current: number; reader: Reader }) {
  const { count, current, reader } = props;
  const [isTyped, setTyped] = useState(false);
  const words = t.ui.pages;
  useActions(words.title, [
    {
      id: 'page-goTo',
      label: words.goTo,
      keys: 'mod+g',
      within: reader.frame,
      isDisabled: count < 2,
      run: () => setTyped(true),
    },
  ]);
  if (count < 2) return null;
  if (!isTyped)
    return (
      <span className={styles['number']} title={words.goTo}>
        <Button variant="plain" onPress={() => setTyped(true)}>
          {words.numberOf(formatCount(current), formatCount(count))}
        </Button>
      </span>
    );
  return <TypedNumber {...props} onLeave={() => setTyped(false)} />;
}

function TypedNumber(props: { count: number; current: number; reader: Reader; onLeave: () => void }) {
  const { count, current, reader, onLeave } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    const page = Math.round(Number(event.currentTarget.value));
    reader.frame.current?.focus();
    onLeave();
    if (event.key === 'Enter' && page >= 1) reader.go.current(Math.min(page, count));
  };
  return (
    <input
      className={styles['typed']}
      aria-label={t.ui.pages.goTo}
      inputMode="numeric"
      defaultValue={current}
      maxLength={5}
      ref={field}
      onKeyDown={onKeyDown}
      onBlur={onLeave}
    />
  );
}
