import { useEffect, useRef, useState } from 'react';
import { runAction, useActions } from './actions.tsx';
import { TextField } from './field.tsx';

/** After the last key, so that not every letter is searched for. */
const PAUSE_MS = 200;
const FIND_KEYS = ['mod+f', 'f3'];

/**
 * Searches the list of a screen while the person types; `/` moves the focus here. So do the keys that find text on a page,
 * since a browser would look only at the rows and words in view and report that a text is nowhere.
 */
export function ListSearch(props: {
  /** Under which the shortcut is listed. */
  screen: string;
  label: string;
  hint: string;
  value: string;
  maxLength?: number;
  /** Sentence for people who look for a text on a page, shown after those keys. */
  findNote?: string;
  onChange: (text: string) => void;
}) {
  const { screen, label, hint, value, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [asked, setAsked] = useState(value);
  // The address changed by another way: back, a link, or cleared.
  if (value !== asked) {
    setAsked(value);
    if (value !== text.trim()) setText(value);
  }
  const latest = useRef(() => {});
  latest.current = () => onChange(text.trim());
  const isAsked = text.trim() === value;
  useEffect(() => {
    if (isAsked) return;
    const timer = setTimeout(() => latest.current(), text === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isAsked]);
  const [isFinding, setFinding] = useState(false);
  const enter = (shortcut?: string) => {
    // Beside an open fax the list may have no room.
    if (input.current?.checkVisibility() !== true) return runAction('palette');
    setFinding(shortcut !== undefined && FIND_KEYS.includes(shortcut));
    input.current.focus();
    input.current.select();
  };
  useActions(screen, [
    { id: 'search-list', label, icon: 'search', keys: '/', alsoKeys: FIND_KEYS, run: enter },
  ]);
  return (
    <TextField
      label={label}
      isLabelHidden
      isSmall
      placeholder={hint}
      icon="search"
      type="search"
      autoComplete="off"
      help={isFinding && props.findNote}
      onBlur={() => setFinding(false)}
      {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
      inputRef={input}
      value={text}
      onChange={setText}
      onKeyDown={(event) => (event.key === 'Escape' ? setText('') : event.continuePropagation())}
    />
  );
}
